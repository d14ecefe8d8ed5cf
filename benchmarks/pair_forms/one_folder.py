"""All programs in one folder, as in a folder of examples: file names are made unique, nothing else changes."""

from __future__ import annotations

from collections.abc import Mapping

from pair_forms.imports import own_modules, renamed


def in_one_folder(texts: Mapping[str, str], suffix: str) -> dict[str, str]:
    """The files of one program, with names that end in ``suffix``; its packages become folders of such names."""
    names = {name: f"{name}_{suffix}" for name in own_modules(texts)}
    return {_path(path, names): renamed(text, names) for path, text in texts.items()}


def _path(path: str, names: Mapping[str, str]) -> str:
    first, slash, rest = path.partition("/")
    name = first.removesuffix(".py")
    return names[name] + first.removeprefix(name) + slash + rest
