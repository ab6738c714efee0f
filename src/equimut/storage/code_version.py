"""Digests: of texts, and of the code and libraries that made a result."""

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b, sha256
from importlib import metadata
from pathlib import Path


def digest_of(texts: Iterable[str], size: int = 16) -> bytes:
    """So many bytes that name these texts in this order; each goes in with its length."""
    digest = blake2b(digest_size=size)
    for text in texts:
        data = text.encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.digest()


PACKAGE = Path(__file__).parent.parent
GRAMMARS = ("tree-sitter", "tree-sitter-c", "tree-sitter-java", "tree-sitter-python")
"""The libraries that every parsed text depends on."""


@cache
def code_version(folders: tuple[str, ...], libraries: tuple[str, ...] = ()) -> str:
    """Changes with every change of a file in these folders, or of these libraries' versions."""
    digest = sha256()
    for folder in folders:
        everything = sorted((PACKAGE / folder).rglob("*"))
        paths = [path for path in everything if path.is_file() and path.suffix != ".pyc"]
        if not paths:  # a folder that has moved would never change
            raise FileNotFoundError(f"no code in {PACKAGE / folder}")
        for path in paths:
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    for library in libraries:
        digest.update(f"{library} {metadata.version(library)}".encode())
    return digest.hexdigest()
