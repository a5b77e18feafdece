"""structlog without what it loads for others: asyncio for coroutines, and rich for tracebacks that are never shown.

That is a quarter of the memory of a daemon that runs all day. structlog gets a stand-in for asyncio that loads it when
it is used; rich is optional for it. Whoever wants one of them later gets it as always.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import structlog
else:

    class _Later(ModuleType):
        """Stands for a module until something of it is asked for."""

        def __getattr__(self, name: str) -> Any:
            return getattr(importlib.import_module(self.__name__), name)

    def _load() -> ModuleType:
        stand_ins = {"asyncio": _Later("asyncio"), "rich": None}
        put = {name: module for name, module in stand_ins.items() if name not in sys.modules}
        if "structlog" not in sys.modules:
            sys.modules.update(put)
            try:
                importlib.import_module("structlog")
            finally:
                for name in put:
                    del sys.modules[name]
        return sys.modules["structlog"]

    structlog = _load()

__all__ = ["structlog"]
