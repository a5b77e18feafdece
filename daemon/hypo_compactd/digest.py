"""The digest by which bytes are known: of sources, views, configuration files and of what a view depends on."""

from __future__ import annotations

try:
    # What `hashlib` gives, without loading OpenSSL: hooks wait for the start-up.
    from _blake2 import blake2b
except ImportError:  # pragma: no cover - a Python without that module
    from hashlib import blake2b

_SIZE = 20


def digest_of(data: bytes) -> str:
    """Return the digest of some bytes, in hexadecimal digits."""
    return blake2b(data, digest_size=_SIZE).hexdigest()


def digest_of_texts(*parts: str) -> str:
    """Return one digest of several texts; where one ends and the next begins counts."""
    total = blake2b(digest_size=_SIZE)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()
