"""Whether a change of one path may change the answer to a question about another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.passed_arguments import is_parameter
from jaxmpi_lint.checks.files.paths import is_below, text_of
from jaxmpi_lint.library.python.file_operations import Effect

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function
    from jaxmpi_lint.checks.files.effects import FileEffect
    from jaxmpi_lint.checks.files.paths import Form, Part

_OF_FILES = frozenset({"isfile", "is_file", "getsize", "open"})
_OF_FOLDERS = frozenset({"isdir", "is_dir", "IsDirectory"})
_EXTENSION = re.compile(r"\.\w{1,6}$")
_IN_MEMORY = ":memory:"
"""The name of a database of `sqlite3` that is no file."""


def is_in_memory(form: Form) -> bool:
    """Whether a path names what no file system holds."""
    return bool(form) and form[-1].is_literal and form[-1].text.endswith(_IN_MEMORY)


def answers(asked: str, form: Form, change: FileEffect) -> bool:
    """Whether a change of this kind can change the answer to a question of a name, about a path."""
    effect = change.use.effect
    if makes_folder(change):
        is_file = bool(form) and form[-1].is_literal and _EXTENSION.search(form[-1].text)
        return asked not in _OF_FILES and not is_file
    return effect is Effect.REMOVES or asked not in _OF_FOLDERS


def makes_folder(change: FileEffect) -> bool:
    """Whether a change makes a folder."""
    return change.use.effect is Effect.MAKES and change.use.name.rpartition(".")[2] != "touch"


def is_same_place(form: Form, change: FileEffect) -> bool:
    """Whether a change is provably one of the path, of a folder around it, or makes it as a folder above."""
    if text_of(form) == text_of(change.form):
        return True
    if change.use.effect is Effect.REMOVES:
        return is_below(form, change.form)
    return change.use.effect is Effect.MAKES and change.use.with_parents and is_below(change.form, form)


def may_be_same(form: Form, changed: Form) -> bool:
    """Whether two paths may be equal; parts that the program computes may be any text.

    Nothing suggests that a path which is computed as a whole is one that the text spells in part.
    """
    if not set(form) & set(changed) and _is_spelled(form) is not _is_spelled(changed):
        return False
    while form and changed and form[0] == changed[0]:
        form, changed = form[1:], changed[1:]
    while form and changed and form[-1] == changed[-1]:
        form, changed = form[:-1], changed[:-1]
    if all(part.is_literal for part in (*form, *changed)):
        return text_of(form) == text_of(changed)
    computed = [part for part in (*form, *changed) if not part.is_literal]
    if len(computed) == 2 and _are_arguments(*computed):
        return False  # a function has different arguments for different files
    return _agree(form[:1], changed[:1], at_end=False) and _agree(form[-1:], changed[-1:], at_end=True)


def _is_spelled(form: Form) -> bool:
    return any(part.is_literal for part in form)


def _are_arguments(one: Part, other: Part) -> bool:
    """Whether two parts are different arguments of one call."""
    if one.function is None or other.function is None or one.function.key != other.function.key:
        return False
    names = [part.expression.id for part in (one, other) if isinstance(part.expression, ir.Name)]
    return len(names) == 2 and one.frame == other.frame and all(is_parameter(one.function, name) for name in names)


def _agree(one: tuple[Part, ...], other: tuple[Part, ...], *, at_end: bool) -> bool:
    """Whether the literal texts at one end of two paths do not exclude each other."""
    if not (one and other and one[0].is_literal and other[0].is_literal):
        return True
    shorter, longer = sorted((one[0].text, other[0].text), key=len)
    return longer.endswith(shorter) if at_end else longer.startswith(shorter)


def written_alike(owner: Function, form: Form, change: FileEffect) -> bool:
    """Whether functions of one module or one class write two paths alike, with the same names of their own."""
    return _belong_together(owner, change.use.function) and _as_written(form) == _as_written(change.form)


def _belong_together(one: Function, other: Function) -> bool:
    mine, others = _classes(one), _classes(other)
    return one.module.path == other.module.path or bool(mine and others and (mine[0] in others or others[0] in mine))


def _classes(function: Function) -> tuple[Any, ...]:
    """The class of a method and the classes that it derives from."""
    owner = function.ir.owner
    return tuple(function.module_model.class_model(owner).linearization) if owner is not None else ()


def _as_written(form: Form) -> str:
    """The text of a path, without what distinguishes the names of one function and the fields of one object."""
    return "".join(map(_part_as_written, form))


def _part_as_written(part: Part) -> str:
    if part.function is None:
        return part.text
    path, known = part.function.module.path, part.function.ir
    return part.text.replace(f"{path}:{known.qualname}:", "").replace(f"{path}:{known.owner}.", "self.")
