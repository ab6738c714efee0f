"""Digests of several texts: ("ab", "c") is not ("a", "bc")."""

from collections.abc import Iterable
from hashlib import blake2b


def digest_of(texts: Iterable[str], size: int = 16) -> bytes:
    """So many bytes that name these texts in this order; each goes in with its length."""
    digest = blake2b(digest_size=size)
    for text in texts:
        data = text.encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()
