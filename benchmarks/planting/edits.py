"""Changed programs: a statement with a different call or more statements around it, and helpers in front of it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from planting.operations import has_stars
from planting.sites import File, Site

_OBJECT = "object"


@dataclass(frozen=True)
class Edit:
    """A defect of a site before it is written: the call, the text of the statement, and other nodes."""

    call: cst.Call
    statement: str  # ``{statement}`` stands for the statement with the call
    nodes: tuple[tuple[cst.CSTNode, cst.CSTNode | None], ...] = ()  # other nodes: None removes a statement
    forgets: bool = False  # the innermost helper returns its argument and does not communicate
    drops_target: bool = False  # the statement does not keep the result
    imports: str = ""
    first: str = ""  # statements in front of all others
    form: str = ""  # which variant of its kind it is
    by_rank: bool = True  # the ranks alone decide who does what


@dataclass(frozen=True)
class Helpers:
    """Functions or a class that a call was moved into."""

    text: str = ""
    before: str = ""  # statements in front of the call
    names: tuple[str, ...] = ()


@dataclass
class _Replacing(cst.CSTTransformer):
    """Replace nodes by identity."""

    nodes: dict[int, cst.CSTNode | Sequence[cst.BaseStatement] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel:
        if id(original_node) not in self.nodes:
            return updated_node
        new = self.nodes[id(original_node)]
        if new is None:
            return cst.RemovalSentinel.REMOVE
        return cst.FlattenSentinel(new) if isinstance(new, Sequence) else new


def moved(file: File, call: cst.Call, depth: int, forgets: bool = False) -> tuple[cst.Call, Helpers] | None:
    """The call moved into a chain of ``depth`` helper functions, None if it cannot be moved."""
    parts = _parameters(file, call)
    if parts is None:
        return None
    parameters, given, inner = parts
    names = [f"exchange_{level}" for level in range(1, depth + 1)]
    body = parameters[1] if forgets else inner
    lines = []
    for level, name in enumerate(names):
        if level:
            body = f"{names[level - 1]}({', '.join(parameters)})"
        lines.append(f"def {name}({', '.join(parameters)}):\n    return {body}\n\n\n")
    changed = cst.ensure_type(cst.parse_expression(f"{names[-1]}({', '.join(given)})"), cst.Call)
    return changed, Helpers("".join(lines), "", tuple(names))


def in_object(file: File, call: cst.Call, forgets: bool = False) -> tuple[cst.Call, Helpers] | None:
    """The call moved into a method of an object that keeps the communicator."""
    parts = _parameters(file, call)
    if parts is None:
        return None
    parameters, given, inner = parts
    body = parameters[1] if forgets else inner.replace("comm.", "self.comm.", 1)
    text = (
        "class Channel:\n    def __init__(self, comm):\n        self.comm = comm\n\n"
        f"    def exchange({', '.join(['self', *parameters[1:]])}):\n        return {body}\n\n\n"
    )
    changed = cst.ensure_type(cst.parse_expression(f"channel.exchange({', '.join(given[1:])})"), cst.Call)
    return changed, Helpers(text, f"channel = Channel({given[0]})\n", ("Channel", "Channel.exchange"))


def _parameters(file: File, call: cst.Call) -> tuple[list[str], list[str], str] | None:
    """The parameters of a helper, what a caller gives, and the call inside; literals stay inside."""
    if has_stars(call):
        return None
    function = cst.ensure_type(call.func, cst.Attribute)
    parameters, given, inside = ["comm"], [file.module.code_for_node(function.value)], []
    for place, one in enumerate(call.args):
        keyword = one.keyword.value if one.keyword is not None else None
        text = file.module.code_for_node(one.value)
        name = keyword or ("values" if place == 0 else f"argument_{place}")
        fixed = isinstance(one.value, cst.Integer | cst.SimpleString) or text in ("None", "True", "False")
        if not fixed and not (file.imports_mpi and text.startswith("MPI.") and text.replace(".", "").isidentifier()):
            parameters.append(name)
            given.append(text)
            text = name
        inside.append(f"{keyword}={text}" if keyword else text)
    return parameters, given, f"comm.{function.attr.value}({', '.join(inside)})"


def statement_text(file: File, site: Site, call: cst.Call, drops_target: bool = False) -> str:
    """The statement of a site with a different call, without its indentation and its comments above."""
    changed = cst.ensure_type(site.statement.with_changes(leading_lines=[]), cst.SimpleStatementLine)
    if drops_target:
        changed = changed.with_changes(body=[cst.Expr(value=call)])
    elif call is not site.call:
        changed = cst.ensure_type(changed.deep_replace(site.call, call), cst.SimpleStatementLine)
    return file.module.code_for_node(changed).strip("\n")


def written(file: File, site: Site, edit: Edit, distance: str) -> tuple[str, Helpers] | None:
    """The text of the file with the defect at a distance, None where this distance is impossible."""
    call, helpers = edit.call, Helpers()
    if site.depth == 0 and distance != "0":
        result = (
            in_object(file, call, edit.forgets)
            if distance == _OBJECT
            else moved(file, call, int(distance), edit.forgets)
        )
        if result is None:
            return None
        call, helpers = result
    removed = edit.forgets and distance == "0"
    inner = "" if removed else statement_text(file, site, call, edit.drops_target)
    if '"""' in inner or "'''" in inner:
        return None
    return _assembled(file, site, edit, helpers, inner), helpers


def _assembled(file: File, site: Site, edit: Edit, helpers: Helpers, inner: str) -> str:
    text = f"{edit.first}{helpers.before}{_filled(edit.statement, inner)}"
    statements = list(cst.parse_module(text, config=file.module.config_for_parsing).body)
    if statements and site.statement.leading_lines:
        statements[0] = statements[0].with_changes(leading_lines=site.statement.leading_lines)
    nodes: dict[int, cst.CSTNode | Sequence[cst.BaseStatement] | None] = {id(site.statement): statements or None}
    nodes.update({id(old): new for old, new in edit.nodes})
    module = file.module.visit(_Replacing(nodes))
    return with_header(module, f"{edit.imports}{helpers.text}").code


def _filled(template: str, inner: str) -> str:
    lines = []
    for line in template.splitlines():
        bare = line.lstrip()
        if bare == "{statement}":
            lines.append(textwrap.indent(inner, line[: len(line) - len(bare)]))
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def with_header(module: cst.Module, text: str) -> cst.Module:
    """The module with statements after its leading docstring and imports."""
    if not text:
        return module
    place = 0
    for number, statement in enumerate(module.body):
        if not _is_header(statement, number):
            break
        place = number + 1
    new = list(cst.parse_module(text, config=module.config_for_parsing).body)
    spaced = [_spaced(one) for one in new]
    return module.with_changes(body=[*module.body[:place], *spaced, *module.body[place:]])


def _spaced(statement: cst.BaseStatement) -> cst.BaseStatement:
    """An empty line above a statement that is not an import."""
    if isinstance(statement, cst.SimpleStatementLine):
        return statement
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)])


def _is_header(statement: cst.BaseStatement, number: int) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString | cst.ConcatenatedString):
        return number == 0
    return isinstance(first, cst.Import | cst.ImportFrom)
