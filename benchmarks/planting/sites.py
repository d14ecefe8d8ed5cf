# ruff: noqa: N802  (the names of a visitor of libcst)
"""The places of a tree where a defect can be planted: statements that communicate, and calls of functions that do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst
import libcst.matchers as m

from planting.graph import MODULE, Graph, Place
from planting.operations import COLLECTIVES, OPERATIONS, is_communicator

_RANK = re.compile(r"\b_?(my_?)?(world_)?rank\b|Get_rank|process_id|\bis_?(root|master)\b|\bmyid\b", re.IGNORECASE)
_ASSIGNED = re.compile(r"^([\w.]+) *= *([\w.]+)\.(?:Get_rank\(\)|rank)$")
_CALLED = re.compile(rf"\.\s*({'|'.join(sorted(OPERATIONS))})\b")
Loop = cst.For | cst.While


@dataclass(frozen=True, eq=False)
class Site:
    """A statement with one call that communicates, itself (depth 0) or through ``depth`` calls."""

    place: Place
    statement: cst.SimpleStatementLine
    call: cst.Call
    method: str
    communicator: str
    rank: str
    loops: tuple[Loop, ...]
    function: cst.FunctionDef | None
    siblings: Sequence[cst.BaseStatement]
    always: bool  # every call of the function reaches it
    ranked: bool  # a branch on the rank encloses it
    depth: int = 0
    chain: tuple[Place, ...] = ()  # the called functions that communicate, outermost first
    through_object: bool = False

    @property
    def collective(self) -> bool:
        """Whether all ranks of the communicator must take part."""
        return self.depth > 0 or self.method in COLLECTIVES


@dataclass
class File:
    """A parsed file and its sites."""

    name: str
    module: cst.Module
    imports_mpi: bool
    sites: list[Site] = field(default_factory=list)
    statements: list[Site] = field(default_factory=list)  # calls of something else, with the same context


@dataclass
class _Frame:
    name: str
    function: cst.FunctionDef | None
    loops: list[Loop] = field(default_factory=list)
    branches: int = 0
    ranked: list[bool] = field(default_factory=list)
    returned: bool = False
    parted: bool = False  # some ranks have returned


class _Reader(cst.CSTVisitor):
    """Collect the statements of one file with their context."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.frames = [_Frame(MODULE, None)]
        self.classes: list[str] = []
        self.kept: list[list[str]] = []
        self.ranks: list[tuple[str, str, str, str]] = []  # name, communicator, scope, class
        self.blocks: list[Sequence[cst.BaseStatement]] = [file.module.body]

    def _scope(self, name: str) -> str:
        outer = self.frames[-1].name
        parts = [] if outer == MODULE else [outer]
        return ".".join([*parts, *self.classes[-1:], name]) if self.classes else ".".join([*parts, name])

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self.classes.append(node.name.value)

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:
        self.classes.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.frames.append(_Frame(self._scope(node.name.value), node))
        self.kept.append(self.classes)
        self.classes = []

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:
        self.frames.pop()
        self.classes = self.kept.pop()

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        return False

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> None:
        self.blocks.append(node.body)

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock) -> None:
        self.blocks.pop()

    def visit_If(self, node: cst.If) -> None:
        frame, test = self.frames[-1], self._text(node.test)
        frame.branches += "__name__" not in test
        names = "|".join(re.escape(one[0]) for one in self.ranks) or r"\brank\b"
        frame.ranked.append(bool(_RANK.search(test) or re.search(rf"(?<![\w.])({names})\b", test)))

    def leave_If(self, original_node: cst.If) -> None:
        frame = self.frames[-1]
        frame.branches -= "__name__" not in self._text(original_node.test)
        frame.ranked.pop()

    def visit_For(self, node: cst.For) -> None:
        self.frames[-1].loops.append(node)

    def leave_For(self, original_node: cst.For) -> None:
        self.frames[-1].loops.pop()

    def visit_While(self, node: cst.While) -> None:
        self.frames[-1].loops.append(node)

    def leave_While(self, original_node: cst.While) -> None:
        self.frames[-1].loops.pop()

    def visit_ExceptHandler(self, node: cst.ExceptHandler) -> None:
        self.frames[-1].branches += 1

    def leave_ExceptHandler(self, original_node: cst.ExceptHandler) -> None:
        self.frames[-1].branches -= 1

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        frame = self.frames[-1]
        code = self._text(node).strip()
        rank = _ASSIGNED.match(code.rpartition("\n")[2])
        if rank is not None:
            self.ranks.append((rank[1], rank[2], frame.name, self._class_of(frame.name)))
        elif len(node.body) == 1 and "(" in code and not _repeats(node, code):
            self._statement(node, frame, bool(_CALLED.search(code)))
        if m.matches(node, m.SimpleStatementLine(body=[m.Return() | m.Raise()])):
            frame.returned = True
            frame.parted |= any(frame.ranked)
        return False

    def _class_of(self, scope: str) -> str:
        return scope.rpartition(".")[0]

    def _statement(self, node: cst.SimpleStatementLine, frame: _Frame, may_communicate: bool) -> None:
        communicating = [call for call in _calls(node) if self._operation(call)] if may_communicate else []
        if len(communicating) == 1:
            call = communicating[0]
            receiver = cst.ensure_type(call.func, cst.Attribute)
            self.file.sites.append(self._site(node, frame, call, receiver.attr.value, self._text(receiver.value)))
        elif not communicating and isinstance(node.body[0], cst.Expr | cst.Assign | cst.Return):
            value = node.body[0].value
            if isinstance(value, cst.Call) and self._text(value.func).replace(".", "").isidentifier():
                self.file.statements.append(self._site(node, frame, value, self._text(value.func), ""))

    def _text(self, node: cst.CSTNode) -> str:
        return self.file.module.code_for_node(node)

    def _operation(self, call: cst.Call) -> bool:
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value not in OPERATIONS:
            return False
        return is_communicator(self._text(call.func.value))

    def _site(
        self, node: cst.SimpleStatementLine, frame: _Frame, call: cst.Call, method: str, communicator: str
    ) -> Site:
        communicator = communicator or self._passed(call)
        return Site(
            place=(self.file.name, frame.name),
            statement=node,
            call=call,
            method=method,
            communicator=communicator,
            rank=self._rank(frame.name, communicator),
            loops=tuple(frame.loops),
            function=frame.function,
            siblings=self.blocks[-1] if any(one is node for one in self.blocks[-1]) else [node],
            always=not (frame.branches or frame.returned or any(isinstance(one, cst.While) for one in frame.loops)),
            ranked=any(frame.ranked) or frame.parted,
        )

    def _passed(self, call: cst.Call) -> str:
        """The communicator that a call passes, or the one of the file."""
        texts = [self._text(one.value) for one in call.args]
        found = next((text for text in texts if re.fullmatch(r"[\w.]*comm", text)), "")
        known = [one[1] for one in self.ranks if one[2] in (MODULE, self.frames[-1].name) and is_communicator(one[1])]
        if found or known:
            return found or known[-1]
        return "MPI.COMM_WORLD" if self.file.imports_mpi else ""

    def _rank(self, scope: str, communicator: str) -> str:
        """The name that holds the rank in the communicator, otherwise the question for it."""
        for name, of, where, owner in reversed(self.ranks):
            own = where in (scope, MODULE) or (name.startswith("self.") and owner == self._class_of(scope))
            if of == communicator and own:
                return name
        return f"{communicator}.Get_rank()" if communicator else ""


def _repeats(node: cst.CSTNode, code: str) -> bool:
    """Whether the calls of a statement may run several times or later."""
    kinds = m.GeneratorExp() | m.ListComp() | m.Lambda() | m.DictComp()
    return ("for" in code or "lambda" in code) and bool(m.findall(node, kinds))


def _calls(node: cst.CSTNode) -> list[cst.Call]:
    return [cst.ensure_type(one, cst.Call) for one in m.findall(node, m.Call())]


def read(name: str, text: str) -> File | None:
    """Parse a file and collect its sites; None if it is not Python 3."""
    try:
        module = cst.parse_module(text)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    file = File(name, module, bool(re.search(r"^from mpi4py import .*\bMPI\b", text, re.MULTILINE)))
    module.visit(_Reader(file))
    return file


def chained(files: Sequence[File], graph: Graph, depths: int) -> list[Site]:
    """The calls, outside of branches on the rank, of functions that reach a collective in 1 to ``depths`` calls."""
    reaching: dict[Place, tuple[Place, ...]] = {}
    for file in files:
        for site in file.sites:
            if site.collective and site.always and not site.ranked and site.function is not None:
                reaching.setdefault(site.place, (site.place,))
    found: list[Site] = []
    for depth in range(1, depths + 1):
        level = {place: chain for place, chain in reaching.items() if len(chain) == depth}
        for site in (one for file in files for one in file.statements):
            called = graph.resolve(site.place, site.method)
            if len(called) == 1 and called[0] in level and site.communicator and not site.ranked:
                chain = level[called[0]]
                member = not site.method.startswith("self.") and "." in called[0][1] and "." in site.method
                found.append(_deeper(site, depth, chain, member))
                if site.always and site.function is not None:
                    reaching.setdefault(site.place, (site.place, *chain))
    return found


def _deeper(site: Site, depth: int, chain: tuple[Place, ...], member: bool) -> Site:
    values = {name: getattr(site, name) for name in site.__dataclass_fields__}
    return Site(**{**values, "depth": depth, "chain": chain, "through_object": member})
