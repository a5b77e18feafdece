from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypo_compactd import mounts

LISTED = r"""
21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
22 21 0:20 / /proc rw - proc proc rw
30 21 0:40 / /mnt/c rw,noatime master:2 - 9p drvfs rw,dirsync
31 21 0:41 / /home/me/shared\040folder rw - fuse.sshfs me@host:/ rw
32 21 0:42 / /home/me/local rw - fuse.gocryptfs /enc rw
33 21 0:43 / /srv rw - nfs4 server:/ rw
34 33 8:2 / /srv rw - ext4 /dev/sdb1 rw
35 21 0:44 / /data rw optional:1 optional:2 - tmpfs tmpfs rw
a line of another form
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/me/project", "ext4"),
        ("/mnt/c/Users/me/project", "9p"),
        ("/mnt/c", "9p"),
        ("/mnt/cd", "ext4"),
        ("/home/me/shared folder/project", "fuse.sshfs"),
        ("/home/me/local/project", "fuse.gocryptfs"),
        ("/srv/project", "ext4"),
        ("/data/project", "tmpfs"),
    ],
)
def test_the_deepest_mount_that_holds_a_path_says_its_type(path: str, kind: str) -> None:
    assert mounts.type_of(path, mounts.parse(LISTED)) == kind


@pytest.mark.parametrize("kind", ["9p", "nfs4", "cifs", "fuse.sshfs", "virtiofs", "vboxsf"])
def test_file_systems_that_others_write_to_are_silent(kind: str) -> None:
    assert kind in mounts.SILENT


@pytest.mark.parametrize("kind", ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "fuseblk", "zfs", "apfs"])
def test_local_file_systems_are_not(kind: str) -> None:
    assert kind not in mounts.SILENT


def test_the_type_of_the_mount_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = tmp_path / "mountinfo"
    listed.write_text(LISTED, "utf-8")
    monkeypatch.setattr(mounts, "_MOUNTS", listed)

    assert mounts.silent_type("/mnt/c/project") == "9p"
    assert mounts.silent_type("/home/me/project") is None
    assert mounts.mount_of("/srv/project") == "34"
    assert mounts.mount_of("/mnt/c/project") == "30"
    listed.unlink()
    assert mounts.mount_of("/srv/project") == ""
    assert mounts.silent_type("/mnt/c/project") is None


@given(st.text(max_size=200))
def test_any_text_is_a_list_of_mounts(text: str) -> None:
    mounts.type_of("/a/b", mounts.parse(text))
