"""A language is one folder here: what the rest of the package needs to know of it, as data.

Its `syntax` defines `LANGUAGE`, a `LanguageSpec`; its `dialect` defines `DIALECT`, a `Dialect`.
Elsewhere nothing compares a language's name, but for the runner that the oracle may have in
`oracle/<name>/`. Folders are found and imported on first use, never when this package is imported.
`docs/languages.md` tells how to add one.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import PurePath
from pkgutil import iter_modules

from equimut.errors import EquimutError
from equimut.languages.spec import LanguageSpec

__all__ = ["LANGUAGES", "LanguageSpec", "get_language", "language_of_path"]


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


@cache
def _load(name: str) -> LanguageSpec:
    language = import_module(f"{__name__}.{name}.syntax").LANGUAGE
    assert isinstance(language, LanguageSpec)
    return language


class _Languages(Mapping[str, LanguageSpec]):
    """All languages by name; a module is imported when its language is asked for."""

    def __getitem__(self, name: str) -> LanguageSpec:
        if name not in _names():
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


LANGUAGES: Mapping[str, LanguageSpec] = _Languages()


def get_language(name: str) -> LanguageSpec:
    """The language of that name (any case)."""
    try:
        return LANGUAGES[name.lower()]
    except KeyError:
        known = ", ".join(LANGUAGES)
        raise EquimutError(f"unknown language {name!r}; known languages: {known}") from None


def language_of_path(path: str | PurePath) -> LanguageSpec:
    """The language that a file's suffix stands for."""
    suffix = PurePath(path).suffix.lower()
    for language in LANGUAGES.values():
        if suffix in language.suffixes:
            return language
    known = ", ".join(s for language in LANGUAGES.values() for s in language.suffixes)
    raise EquimutError(
        f"{path}: no language is known for the suffix {suffix!r}; name the language, "
        f"or use one of these suffixes: {known}"
    )
