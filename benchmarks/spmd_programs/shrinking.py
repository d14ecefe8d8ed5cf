"""Reduction of programs with a property, and classification by constructs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from spmd_programs.rendering import names_in
from spmd_programs.syntax import (
    WORLD,
    Assign,
    Block,
    Break,
    Call,
    Collective,
    Continue,
    Duplicate,
    Expression,
    For,
    If,
    Present,
    Program,
    Raise,
    Rank,
    Return,
    Split,
    Statement,
    Try,
    While,
    blocks,
    parts,
    walk,
    with_blocks,
)


def shrink(program: Program, keeps: Callable[[Program], bool]) -> Program:
    """A program from which nothing can be removed without losing the property."""
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(program):
            if _is_complete(smaller) and keeps(smaller):
                program, changed = smaller, True
                break
    return program


def _is_complete(program: Program) -> bool:
    """Whether all functions exist and are called, and all names are bound somewhere."""
    called = {s.function for s in program.statements() if isinstance(s, Call)}
    if called != {function.name for function in program.functions}:
        return False
    return all(_read(body) <= _bound(body) for body in program.bodies())


def _bound(body: Block) -> set[str]:
    targets = (getattr(statement, "target", None) for statement in walk(body))
    return {WORLD, "flag", *(target for target in targets if target is not None)}


def _read(body: Block) -> set[str]:
    found = {s.communicator for s in walk(body) if isinstance(s, Collective | Duplicate | Split | Call)}
    return found.union(*(names_in(expression) for expression in Program((), body).expressions()))


def _smaller(program: Program) -> Iterator[Program]:
    for body in _smaller_blocks(program.main):
        if body:
            yield replace(program, main=body)
    for index, function in enumerate(program.functions):
        before, after = program.functions[:index], program.functions[index + 1 :]
        yield replace(program, functions=before + after)
        for body in _smaller_blocks(function.body):
            if body:
                yield replace(program, functions=(*before, replace(function, body=body), *after))


def _smaller_blocks(block: Block) -> Iterator[Block]:
    for index, statement in enumerate(block):
        before, after = block[:index], block[index + 1 :]
        yield before + after
        inner = blocks(statement)
        for number, own in enumerate(inner):
            yield before + own + after
            for less in _smaller_blocks(own):
                if less or (isinstance(statement, If) and number == 1):
                    changed = (*inner[:number], less, *inner[number + 1 :])
                    yield (*before, with_blocks(statement, changed), *after)


def cause(program: Program) -> str:
    """The constructs of a program; if it has only its defect, the kind of the defect."""
    found = dict.fromkeys(name for name, has in _CONSTRUCTS.items() if any(has(s) for s in program.statements()))
    for name, test in (("local value", _depends_on_local_value), ("root", _differs_in_roots)):
        if test(program):
            found[name] = None
    if _is_tested(
        program, lambda names: any(isinstance(s, Assign) and s.target in names for s in program.statements())
    ):
        found["derived"] = None
    if {"return", "break", "continue", "exception"} & found.keys():
        found.pop("branch", None)
    return ", ".join(found) or "straight"


OUTSIDE = {
    frozenset({"exception", "local value"}): "an exception controlled by per-process data",
}
"""Causes, as parts of their names, outside of the supported language, and their descriptions."""


def outside(kind: str) -> str | None:
    """Why a cause lies outside of the supported language; None for one that must be found."""
    parts = frozenset(kind.split(", "))
    return next((reason for constructs, reason in OUTSIDE.items() if constructs <= parts), None)


_CONSTRUCTS: dict[str, Callable[[Statement], bool]] = {
    "arms": lambda s: isinstance(s, If) and bool(s.orelse),
    "branch": lambda s: isinstance(s, If) and not s.orelse,
    "return": lambda s: isinstance(s, Return) and s.value is None,
    "break": lambda s: isinstance(s, Break),
    "continue": lambda s: isinstance(s, Continue),
    "loop": lambda s: isinstance(s, For) and not _reads_rank(s.count),
    "trip count": lambda s: isinstance(s, For) and _reads_rank(s.count),
    "while": lambda s: isinstance(s, While),
    "Dup": lambda s: isinstance(s, Duplicate),
    "Split": lambda s: isinstance(s, Split),
    "function": lambda s: isinstance(s, Call) and s.target is None,
    "predicate": lambda s: isinstance(s, Call) and s.target is not None,
    "exception": lambda s: isinstance(s, Try | Raise),
}


def _reads_rank(expression: Expression) -> bool:
    return any(isinstance(e, Rank) for e in parts(expression))


def _tested(program: Program) -> Iterator[Expression]:
    for statement in program.statements():
        match statement:
            case If(test=test) | For(count=test) | Call(argument=test):
                yield test
            case While(test=test) if test is not None:
                yield test


def _is_tested(program: Program, holds: Callable[[frozenset[str]], bool]) -> bool:
    return any(holds(names_in(test)) for test in _tested(program))


def _depends_on_local_value(program: Program) -> bool:
    if any(isinstance(e, Present) for test in _tested(program) for e in parts(test)):
        return True
    scattered = {s.target for s in program.statements() if isinstance(s, Collective) and s.operation == "scatter"}
    return _is_tested(program, lambda names: bool(names & scattered))


def _differs_in_roots(program: Program) -> bool:
    calls = [s for body in program.bodies() for s in walk(body) if isinstance(s, Collective)]
    if any(s.root is not None and (_reads_rank(s.root) or names_in(s.root)) for s in calls):
        return True
    return len(calls) == 2 and calls[0].operation == calls[1].operation and calls[0].root is not None


def pruned(program: Program, reached: Collection[Statement]) -> Program:
    """The program without the statements that never run."""

    def prune(block: Block) -> Block:
        return tuple(
            with_blocks(statement, map(prune, blocks(statement))) for statement in block if statement in reached
        )

    functions = tuple(replace(function, body=prune(function.body)) for function in program.functions)
    return replace(program, functions=functions, main=prune(program.main))
