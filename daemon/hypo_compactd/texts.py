"""The sources of a look as the strategies want them: texts, each decoded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hypo_compactd.reader import SourceFile


class Texts(Mapping[str, str]):
    """The texts of files, by path."""

    def __init__(self, files: Mapping[str, SourceFile]) -> None:
        self._files = files

    def __getitem__(self, path: str) -> str:
        return self._files[path].text

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
