"""The edits that remove tokens from code written for mpi4jax before 0.8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import expressions_read, terminator_expressions
from jaxmpi_lint.analysis.lattice.lattice import Compiled, FunctionReference, Named
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import first_generation
from jaxmpi_lint.checks.mpi4jax.token_calls import Taking, TokenCall, TokenStyle, constant_index, is_pair
from jaxmpi_lint.library.mpi.mpi4jax_functions import CREATE_TOKEN
from jaxmpi_lint.rewrite.source_edits import (
    TextEdit,
    alone_on_line,
    first_target_only,
    indentation,
    line_ending,
    without_argument,
    without_index,
    without_statement,
)


class Unsure(Exception):
    """There is no edit that provably keeps the meaning."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The edits for one call; ``safe`` is False where a token that other code reads becomes None."""

    edits: tuple[TextEdit, ...]
    safe: bool


class TokenRemoval:
    """Plans the edits of one module, so that a token is removed only if nothing reads it any more."""

    def __init__(self, styles: Iterable[TokenStyle]) -> None:
        self._old = {call.call.span: call for style in styles for call, _ in style.old()}
        self._styles = {call.call.span: style for style in styles for call in style.calls}
        self._vanishing: set[ir.Span] = set()
        editable = [call for call in self._old.values() if call.token is not None and self._can_be_edited(call)]
        while editable:
            self._vanishing = {call.token.span for call in editable if call.token is not None}
            certain = [call for call in editable if self.of(call) is not None]
            if len(certain) == len(editable):
                break
            editable = certain
        else:
            self._vanishing = set()

    def of(self, call: TokenCall) -> Removal | None:
        """The edits for one call; None if no edit provably keeps the meaning."""
        if not self._can_be_edited(call):
            return None
        try:
            edits, safe = self._edits(call)
        except Unsure:
            return None
        return Removal(tuple(dict.fromkeys(edits)), safe)

    # --- which edits are possible ---

    def _can_be_edited(self, call: TokenCall) -> bool:
        if call.token is not None and not _is_plain_token(call.token.value):
            return False
        if call.taken.taking is Taking.OTHER or (call.taken.taking is Taking.UNPACKED and not call.yields_array):
            return False
        if call.taken.taking is Taking.INDEXED and call.token is None and call.is_of_first_generation:
            return False
        if call.taken.taking is Taking.NAMED and call.yields_array:
            return call.token is None or self._group(call) is not None
        if call.taken.taking is Taking.RETURNED and not call.yields_array:
            return alone_on_line(call.function.module, call.taken.span)
        return True

    def _is_dead(self, style: TokenStyle, target: ir.Expression) -> bool:
        """Whether only token arguments that are removed read a name."""
        if not isinstance(target, ir.Name):
            return False
        if not target.id.strip("_"):
            return not style.scope.loads(target.id)
        if not style.scope.is_private(target.id):
            return False
        return all(self._vanishes(node.span) for node in style.scope.loads(target.id))

    def _vanishes(self, span: ir.Span) -> bool:
        return any(start <= span[0] and span[1] <= end for start, end in self._vanishing)

    # --- edits ---

    def _edits(self, call: TokenCall) -> tuple[list[TextEdit], bool]:
        style = self._styles[call.call.span]
        group = self._group(call) if call.taken.taking is Taking.NAMED and call.yields_array else None
        edits: list[TextEdit] = []
        safe = True
        for member in group or [call]:
            edits += _new_spelling(member)
        match call.taken.taking:
            case Taking.UNPACKED if call.token is not None or any(style.is_token(p.elements[1]) for p in call.pairs):
                safe = self._unpacked(style, call, edits)
            case Taking.NAMED if group is not None:
                edits += self._reads_of_pair(style, call, group)
            case Taking.NAMED if not call.yields_array:
                safe = self._named_token(style, call, edits)
            case Taking.INDEXED:
                assert call.taken.subscript is not None
                edits.append(without_index(call.function.module, call.taken.subscript))
            case Taking.RETURNED if call.token is not None:
                _returned(call, edits)
        return edits + list(self._unused_tokens(style, call)), safe

    def _unpacked(self, style: TokenStyle, call: TokenCall, edits: list[TextEdit]) -> bool:
        safe = True
        kept: list[str] = []
        for pair in call.pairs:
            token = pair.elements[1]
            if self._is_dead(style, token) or _text(call, token) == _passed(call):
                edits.append(first_target_only(call.function.module, pair))
            else:
                kept.append(_passed(call) or "None")
        if kept and len(kept) < len(call.pairs):
            raise Unsure
        if kept:
            edits.append(((call.call.span[1], call.call.span[1]), f", {kept[0]}"))
            safe = _passed(call) is not None or all(self._is_handed_on(style, p.elements[1]) for p in call.pairs)
        return safe

    def _named_token(self, style: TokenStyle, call: TokenCall, edits: list[TextEdit]) -> bool:
        """``token = send(...)``: the operation no longer returns anything."""
        module, target = call.function.module, call.taken.targets[0]
        before = (call.taken.span[0], call.call.span[0])
        between = module.source((target.span[1], call.call.span[0])).strip()
        if between != "=" or call.taken.span[1] != call.call.span[1]:
            raise Unsure
        edits.append((before, ""))
        if self._is_dead(style, target) or _text(call, target) == _passed(call):
            return True
        if not alone_on_line(module, call.taken.span):
            raise Unsure
        _follow(call, f"{_text(call, target)} = {_passed(call) or 'None'}", edits)
        return _passed(call) is not None or self._is_handed_on(style, target)

    def _is_handed_on(self, style: TokenStyle, token: ir.Expression) -> bool:
        """Whether only functions of the project and the caller receive a name; they accept None as a token."""
        if not isinstance(token, ir.Name) or not style.scope.is_private(token.id):
            return False
        handed = _handed_on(style)
        return all(node.span in handed or self._vanishes(node.span) for node in style.scope.loads(token.id))

    def _group(self, call: TokenCall) -> list[TokenCall] | None:
        """All calls that bind the variable that holds the whole result, if every use of it unpacks it."""
        style, target = self._styles[call.call.span], call.taken.targets[0]
        if not isinstance(target, ir.Name) or not style.scope.is_private(target.id):
            return None
        group = style.results(target.id)
        if group is None or any(m.token is not None and not _is_plain_token(m.token.value) for m in group):
            return None
        return group if self._pair_edits(style, target.id) is not None else None

    def _reads_of_pair(self, style: TokenStyle, call: TokenCall, group: list[TokenCall]) -> list[TextEdit]:
        target = call.taken.targets[0]
        assert isinstance(target, ir.Name)
        module = call.function.module
        edits: list[TextEdit] = []
        for kind, span, part in self._pair_edits(style, target.id) or ():
            if kind == "first" and isinstance(part, ir.Subscript):
                edits.append(without_index(module, part))
            elif kind == "unpack" and isinstance(part, ir.Collection):
                if not self._is_dead(style, part.elements[1]):
                    raise Unsure
                edits.append(first_target_only(module, part))
            elif kind == "token" and part is not None:
                removed = without_statement(module, span)
                if removed is None or not self._is_dead(style, part):
                    raise Unsure
                edits.append(removed)
        return edits

    def _pair_edits(self, style: TokenStyle, name: str) -> list[tuple[str, ir.Span, ir.Expression | None]] | None:
        """How each read of a whole result unpacks it; None if one does not."""
        uses = {span: (kind, at, part) for span, kind, at, part in _pair_uses(style.function.ir, name)}
        found: list[tuple[str, ir.Span, ir.Expression | None]] = []
        for node in style.scope.loads(name):
            if node.span in uses:
                if not (uses[node.span][0] == "first" and self._vanishes(node.span)):
                    found.append(uses[node.span])
            elif not any(_encloses(c.token.span, node.span) for c in style.calls if c.token is not None):
                return None
        return found

    def _unused_tokens(self, style: TokenStyle, call: TokenCall) -> Iterator[TextEdit]:
        """Statements that create the token of this call, if nothing else takes it; the first such call removes them."""
        if call.token is None or not isinstance(call.token.value, ir.Name):
            return
        name = call.token.value.id
        if not style.scope.is_private(name) or not all(self._vanishes(n.span) for n in style.scope.loads(name)):
            return
        first = min(span for span, old in self._old.items() if _takes(old, name, style))
        if first != call.call.span:
            return
        for step in style.scope.stores(name):
            if step.value is None or len(step.targets) != 1 or not isinstance(step.targets[0], ir.Name):
                continue
            if makes_token(style, step.value) or ir.is_none(step.value):
                removed = without_statement(call.function.module, step.span)
                yield removed if removed is not None else (step.value.span, "None")


def makes_token(style: TokenStyle, value: ir.Expression) -> bool:
    """Whether an expression is a call that creates a JAX token."""
    if not isinstance(value, ir.Call):
        return False
    bound = style.function.bound(value)
    entity = bound.callee.entity if bound is not None else None
    return isinstance(entity, Named) and entity.dotted in CREATE_TOKEN


def _handed_on(style: TokenStyle) -> set[ir.Span]:
    """Names that are arguments of calls of project functions, or are returned, alone or in a tuple."""
    found: set[ir.Span] = set()
    for bound in style.function.calls():
        if isinstance(bound.callee.entity, (FunctionReference, Compiled)):
            found |= {argument.value.span for argument in bound.call.args if not argument.star}
    for block in style.function.ir.blocks:
        if isinstance(block.terminator, ir.Return) and block.terminator.value is not None:
            value = block.terminator.value
            found |= {e.span for e in value.elements} if isinstance(value, ir.Collection) else {value.span}
    return found


def _takes(call: TokenCall, name: str, style: TokenStyle) -> bool:
    return (
        call.function is style.function
        and call.token is not None
        and isinstance(call.token.value, ir.Name)
        and call.token.value.id == name
    )


def _is_plain_token(value: ir.Expression) -> bool:
    """Whether an expression that passes a token can be removed without side effects."""
    if isinstance(value, ir.Call):
        return (ir.dotted(value.func) or "").rpartition(".")[2] == "create_token" and len(value.args) <= 1
    if isinstance(value, ir.Subscript):
        return isinstance(value.value, ir.Name) and constant_index(value) is not None
    return ir.is_none(value) or ir.dotted(value) is not None


def _text(call: TokenCall, expression: ir.Expression) -> str:
    return call.function.module.source(expression.span)


def _passed(call: TokenCall) -> str | None:
    """The token argument as text; None if there is none, or if it is created in the call."""
    if call.token is None or ir.dotted(call.token.value) is None:
        return None
    return _text(call, call.token.value)


def _encloses(outer: ir.Span, inner: ir.Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _pair_uses(function: ir.Function, name: str) -> Iterator[tuple[ir.Span, str, ir.Span, ir.Expression | None]]:
    """Reads of a name that unpack the pair in it, by the span of the name."""
    for block in function.blocks:
        for step in block.steps:
            for expression in expressions_read(step):
                yield from _first_items(expression, name)
        for expression in terminator_expressions(block):
            yield from _first_items(expression, name)
        for step in block.steps:
            match step:
                case ir.Assign(span=span, targets=(target,), value=ir.Name(id=read) as node) if read == name:
                    if is_pair(target):
                        yield node.span, "unpack", span, target
                case ir.Assign(span=span, targets=(ir.Name() as target,), value=ir.Subscript() as item):
                    if isinstance(item.value, ir.Name) and item.value.id == name and constant_index(item) in (1, -1):
                        yield item.value.span, "token", span, target


def _first_items(expression: ir.Expression, name: str) -> Iterator[tuple[ir.Span, str, ir.Span, ir.Expression | None]]:
    for node in ir.walk(expression):
        match node:
            case ir.Subscript(value=ir.Name(id=read, span=span)) if read == name and constant_index(node) == 0:
                yield span, "first", node.span, node


def _new_spelling(call: TokenCall) -> Iterator[TextEdit]:
    """The call itself: lower-case name, keyword arguments where required, no token."""
    module, func = call.function.module, call.call.func
    if isinstance(func, ir.Attribute) and func.attr != func.attr.lower():
        yield (func.span[1] - len(func.attr), func.span[1]), func.attr.lower()
    oldest = first_generation(call.function, call.operation)
    newest = call.function.project.catalogue.history(f"mpi4jax.{call.operation.method.lower()}")
    for index, argument in enumerate(call.call.args):
        if argument.star or argument.keyword is not None:
            break
        if argument is not call.token and index < len(oldest.parameters) and newest:
            parameter = oldest.parameters[index]
            if newest[-1].position(parameter) is None:
                yield (argument.span[0], argument.span[0]), f"{parameter}="
    if call.token is not None:
        yield from without_argument(module, call.call, call.token)


def _returned(call: TokenCall, edits: list[TextEdit]) -> None:
    """A function that returned the pair still returns one: the array and the token that it took."""
    module, span = call.function.module, call.taken.span
    token = _passed(call) or "None"
    if call.yields_array:
        edits.append(((call.call.span[1], call.call.span[1]), f", {token}"))
        return
    if module.source((span[0], call.call.span[0])).split() != ["return"]:
        raise Unsure
    edits.append(((span[0], call.call.span[0]), ""))
    _follow(call, f"return {token}", edits)


def _follow(call: TokenCall, statement: str, edits: list[TextEdit]) -> None:
    """An additional statement after that of the call."""
    module = call.function.module
    end = call.taken.span[1]
    edits.append(((end, end), f"{line_ending(module)}{indentation(module, call.taken.span)}{statement}"))
