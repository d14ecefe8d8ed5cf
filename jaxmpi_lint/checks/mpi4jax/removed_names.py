"""Modules and names that mpi4jax has removed, and their replacements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.cfg.def_use import reads_anywhere
from jaxmpi_lint.analysis.lattice.lattice import Named
from jaxmpi_lint.checks.mpi4jax.mpi4jax_versions import inside_version_test, serves_several_generations
from jaxmpi_lint.checks.mpi4jax.name_scopes import Scope
from jaxmpi_lint.findings.diagnostics import Confidence
from jaxmpi_lint.findings.model import Place, Step
from jaxmpi_lint.library.mpi.mpi4jax_functions import AUTO_TOKENIZE
from jaxmpi_lint.rewrite.source_edits import TextEdit, without_statement

if TYPE_CHECKING:
    from jaxmpi_lint.analysis.lattice.interfaces import Function, Module

_NOTOKEN = re.compile(r"^mpi4jax\.(?:experimental\.)?notoken(?=\.|$)")
_FROM_NOTOKEN = re.compile(r"^(from\s+)mpi4jax\.(?:experimental\.)?notoken(?=\s+import\b)")
_IMPORT_NOTOKEN = re.compile(r"\bmpi4jax\.(?:experimental\.)?notoken\b")
_MODULE_ONLY = re.compile(r"^from\s+mpi4jax(?:\.experimental)?\s+import\s+\(?\s*notoken(?:\s+as\s+(\w+))?\s*,?\s*\)?$")
_TOKENIZE_ONLY = re.compile(
    r"^from\s+mpi4jax\.experimental(?:\.tokenizer)?\s+import\s+\(?\s*auto_tokenize(?:\s+as\s+\w+)?\s*,?\s*\)?$"
)


@dataclass(frozen=True, slots=True)
class RemovedName:
    """A use of such a name; no ``edits`` where the replacement is not certain."""

    module: ir.Module
    span: ir.Span
    name: str
    removed: str
    replacement: str
    edits: tuple[TextEdit, ...]
    kind: str = "removed"

    @property
    def place(self) -> Place:
        """The use."""
        return Place(self.module, self.span)

    @property
    def confidence(self) -> Confidence:
        """High: the name does not exist."""
        return Confidence.HIGH

    def steps(self) -> tuple[Step, ...]:
        """None: the finding has no history."""
        return ()


def removed_names(module: Module) -> Iterator[RemovedName]:
    """Imports and attributes in one module that current releases do not have."""
    if "mpi4jax" not in module.ir.text:
        return
    for function in module.functions():
        if serves_several_generations(function):
            continue
        yield from (use for use in _imports(function) if not _is_for_one_release(function, use.span))
        yield from (use for use in _attributes(function) if not _is_for_one_release(function, use.span))


def _is_for_one_release(function: Function, span: ir.Span) -> bool:
    return function.ir.kind == "module" and inside_version_test(function, span)


# --- imports ---


def _imports(function: Function) -> Iterator[RemovedName]:
    for block in function.ir.blocks:
        for step in block.steps:
            if isinstance(step, ir.Import) and not block.handlers and not _is_fallback(function, block.index):
                found = _import(function, step)
                if found is not None:
                    yield found


def _is_fallback(function: Function, block: int) -> bool:
    """Whether a block is an exception handler, or is reached only through one."""
    entries = {handler for other in function.ir.blocks for handler in other.handlers}
    reached, pending = {0}, [0]
    while pending:
        for target in function.ir.blocks[pending.pop()].successors:
            if target not in reached and target not in entries:
                reached.add(target)
                pending.append(target)
    return block not in reached


def _import(function: Function, step: ir.Import) -> RemovedName | None:
    for name in step.names:
        if _NOTOKEN.match(name.target):
            return _notoken_import(function, step)
        if function.project.canonical(name.target) == AUTO_TOKENIZE:
            edits = _untokenized(function, step, name)
            return RemovedName(
                function.module,
                step.span,
                "auto_tokenize",
                "0.4",
                "no token: operations are ordered without it",
                edits,
            )
        if name.target.startswith("mpi4jax.") and _is_capitalised(function, name.target):
            return _capitalised_import(function, step)
    return None


def _notoken_import(function: Function, step: ir.Import) -> RemovedName:
    text = function.module.source(step.span)
    only = _MODULE_ONLY.match(text)
    if only:
        bound = only[1] or "notoken"
        text = "import mpi4jax" if bound == "mpi4jax" else f"import mpi4jax as {bound}"
    elif _FROM_NOTOKEN.match(text):
        text = _FROM_NOTOKEN.sub(r"\1mpi4jax", text)
    elif text.startswith("import"):
        text = _IMPORT_NOTOKEN.sub("mpi4jax", text)
    name = next(_NOTOKEN.match(n.target)[0] for n in step.names if _NOTOKEN.match(n.target))  # type: ignore[index]
    changed = text != function.module.source(step.span)
    return RemovedName(
        function.module, step.span, name, "0.8", "`mpi4jax` itself", ((step.span, text),) if changed else ()
    )


def _untokenized(function: Function, step: ir.Import, name: ir.ImportedName) -> tuple[TextEdit, ...]:
    """The edits that remove the import, its decorators and its calls; none if the name has different uses."""
    module, scope = function.module, Scope(function)
    removed = without_statement(module, step.span)
    if removed is None or not _TOKENIZE_ONLY.match(module.source(step.span)) or not scope.is_private(name.bound):
        return ()
    uses = {**_decorators(module, name.bound), **_wrapped(module, name.bound)}
    loads = [node.span for node in scope.loads(name.bound)]
    if any(span not in uses for span in loads):
        return ()
    edits: list[TextEdit] = [removed]
    for span in loads:
        edits += uses[span]
    return tuple(edits)


def _decorators(module: ir.Module, name: str) -> dict[ir.Span, list[TextEdit]]:
    """Decorators that are the bare name, with the edit that removes their row."""
    found: dict[ir.Span, list[TextEdit]] = {}
    for function in module.functions.values():
        for decorator in function.decorators:
            if isinstance(decorator, ir.Name) and decorator.id == name:
                at = module.text.rfind("@", 0, decorator.span[0])
                removed = without_statement(module, (at, decorator.span[1]))
                if removed is not None and removed[1] == "":
                    found[decorator.span] = [removed]
    return found


def _wrapped(module: ir.Module, name: str) -> dict[ir.Span, list[TextEdit]]:
    """Calls ``name(f)``, with the edits that leave ``f``."""
    found: dict[ir.Span, list[TextEdit]] = {}
    for function in module.functions.values():
        for expression in reads_anywhere(function):
            for node in ir.walk(expression):
                match node:
                    case ir.Call(func=ir.Name() as func, args=(ir.Argument(star="", keyword=None) as argument,)):
                        start, end = argument.value.span
                        if func.id == name and isinstance(argument.value, (ir.Name, ir.Attribute)):
                            found[func.span] = [((node.span[0], start), ""), ((end, node.span[1]), "")]
    return found


def _is_capitalised(function: Function, target: str) -> bool:
    name = target.rpartition(".")[2]
    return name != name.lower() and bool(function.project.catalogue.history(target))


def _capitalised_import(function: Function, step: ir.Import) -> RemovedName:
    module, scope = function.module, Scope(function)
    text = module.source(step.span)
    edits: list[TextEdit] = []
    certain = True
    first = ""
    for name in step.names:
        old = name.target.rpartition(".")[2]
        if not _is_capitalised(function, name.target):
            continue
        first = first or old
        text = re.sub(rf"\b{old}\b", old.lower(), text, count=1)
        if name.bound == old:
            certain &= scope.is_private(old) and not _binds(function, old.lower())
            edits += [(node.span, old.lower()) for node in scope.loads(old)]
    edits.append((step.span, text))
    return RemovedName(
        function.module, step.span, f"mpi4jax.{first}", "0.3", f"`{first.lower()}`", tuple(edits) if certain else ()
    )


def _binds(function: Function, name: str) -> bool:
    return any(model.is_local(name) for model in function.module_model.functions())


# --- attributes ---


def _attributes(function: Function) -> Iterator[RemovedName]:
    called = {bound.call.func.span for bound in function.calls() if _takes_token(function, bound.dotted or "")}
    env = dict(function.flow.exit)
    seen: set[ir.Span] = set()
    for expression in reads_anywhere(function.ir):
        for node in ir.walk(expression):
            if not isinstance(node, ir.Attribute) or node.span in seen or node.span in called:
                continue
            entity = function.value(node, env).entity
            if isinstance(entity, Named) and entity.dotted.startswith("mpi4jax."):
                found = _attribute(function, node, entity.dotted)
                if found is not None and not any(s[0] <= node.span[0] and node.span[1] <= s[1] for s in seen):
                    yield found
                seen.add(node.span)


def _takes_token(function: Function, dotted: str) -> bool:
    """Whether calls of an operation are checked for tokens, which also reports a capitalised name."""
    history = function.project.catalogue.history(dotted) if dotted.startswith("mpi4jax.") else ()
    return any("token" in entry.parameters for entry in history)


def _attribute(function: Function, node: ir.Attribute, dotted: str) -> RemovedName | None:
    module = function.module
    removed = _NOTOKEN.match(dotted)
    if removed is not None:
        inner: ir.Expression = node
        while isinstance(inner, ir.Attribute):
            if _NOTOKEN.fullmatch(ir.dotted(inner) or "") or inner.attr == "notoken":
                base = inner.value.value if _is_experimental(inner.value) else inner.value  # type: ignore[attr-defined]
                edit = ((base.span[1], inner.span[1]), "")
                return RemovedName(module, node.span, removed[0], "0.8", "`mpi4jax` itself", (edit,))
            inner = inner.value
        return None
    if dotted == AUTO_TOKENIZE:
        return RemovedName(
            module, node.span, module.source(node.span), "0.4", "no token: operations are ordered without it", ()
        )
    if _is_capitalised(function, dotted):
        edit = ((node.span[1] - len(node.attr), node.span[1]), node.attr.lower())
        return RemovedName(module, node.span, dotted, "0.3", f"`{node.attr.lower()}`", (edit,))
    return None


def _is_experimental(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Attribute) and expression.attr == "experimental"
