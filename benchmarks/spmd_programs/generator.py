"""Random programs: uniform statements, with some parts that diverge."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum

from spmd_programs.syntax import (
    WORLD,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Collective,
    Constant,
    Continue,
    Duplicate,
    Expression,
    For,
    Function,
    If,
    Input,
    Name,
    Not,
    Present,
    Print,
    Program,
    Raise,
    Rank,
    Return,
    Size,
    Split,
    Statement,
    Try,
    While,
    walk,
)


class Construct(StrEnum):
    """Constructs that a program may have besides branches on the rank itself."""

    LOOP = "a loop with the same trip count on all ranks"
    NESTED = "branches with statements besides collectives"
    ARMS = "branches that communicate in different ways"
    DERIVED = "a variable computed from the rank"
    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"
    TRIPS = "a trip count that depends on the rank"
    WHILE = "while"
    DUPLICATE = "Dup"
    SPLIT = "Split"
    WRAPPER = "a function with a single collective"
    FUNCTION = "a function of several statements"
    PREDICATE = "a function that returns a test of the rank"
    ARGUMENT = "an argument computed from the rank"
    LOCAL = "a value that differs between ranks but is not computed from the rank"
    ROOT = "a root that differs"
    EXCEPTION = "an exception"


PASSING = ("bcast", "allreduce", "gather", "allgather", "scatter", "reduce")
ROOTED = frozenset({"Bcast", "bcast", "gather", "scatter", "reduce"})
REDUCING = frozenset({"allreduce", "reduce"})
_DEPTH = 3


@dataclass(slots=True)
class _Scope:
    """The names available at a place of a program."""

    communicators: list[str] = field(default_factory=lambda: [WORLD])
    uniform: list[Expression] = field(default_factory=list)
    local: list[Expression] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    depth: int = 0
    in_loop: bool = False
    may_return: bool = False

    def inner(self, loop: bool = False) -> _Scope:
        return replace(
            self,
            communicators=list(self.communicators),
            uniform=list(self.uniform),
            local=list(self.local),
            numbers=list(self.numbers),
            depth=self.depth + 1,
            in_loop=self.in_loop or loop,
        )


class Generator:
    """Generates programs, reproducibly for the same random generator."""

    def __init__(self, chance: random.Random, constructs: Collection[Construct] = tuple(Construct)) -> None:
        self._chance = chance
        self._constructs = frozenset(constructs)
        self._names = itertools.count(1)
        self._functions: list[Function] = []
        self._predicates: list[str] = []

    def program(self) -> Program:
        """One program."""
        self._names = itertools.count(1)
        self._functions, self._predicates = [], []
        if self._has(Construct.PREDICATE, 0.3):
            self._predicates.append("is_leader")
            self._functions.append(Function("is_leader", (Return(self._rank_test(_Scope())),)))
        helpers: list[Function] = []
        for number in range(self._chance.randint(0, 2)):
            body = self._helper_body()
            if body is not None:
                helpers.append(Function(f"step{number}", body))
        self._functions += helpers
        scope = _Scope(may_return=True)
        scope.uniform += [Input(name) for name in self._chance.sample(("steps", "mode"), self._chance.randint(0, 2))]
        main = self._block(scope, self._chance.randint(2, 6))
        if not any(isinstance(s, Collective | Duplicate | Split | Call) for s in walk(main)):
            main = (*main, self._collective(scope))
        called = {
            s.function for f in (main, *(f.body for f in self._functions)) for s in walk(f) if isinstance(s, Call)
        }
        return Program(tuple(f for f in self._functions if f.name in called), main, self._chance.randrange(8))

    def _has(self, construct: Construct, share: float) -> bool:
        return construct in self._constructs and self._chance.random() < share

    def _fresh(self, stem: str) -> str:
        return f"{stem}{next(self._names)}"

    def _helper_body(self) -> Block | None:
        scope = _Scope()
        if self._has(Construct.WRAPPER, 0.5):
            return (*([Print("working")] if self._chance.random() < 0.5 else []), self._collective(scope))
        if Construct.FUNCTION in self._constructs:
            scope.may_return = True
            if Construct.ARGUMENT in self._constructs:
                scope.local.append(Name("flag"))
            return self._block(scope, self._chance.randint(1, 3))
        return None

    # --- statements ---

    def _block(self, scope: _Scope, length: int) -> Block:
        statements: list[Statement] = []
        for _ in range(length):
            piece = self._divergent if self._chance.random() < 0.3 else self._alike
            statements += piece(scope)
        return tuple(statements)

    def _short(self, scope: _Scope, loop: bool = False) -> Block:
        return self._block(scope.inner(loop), self._chance.randint(1, 2))

    def _alike(self, scope: _Scope) -> Block:
        """A statement that all ranks execute in the same way."""
        choices: list[tuple[int, Callable[[_Scope], Block]]] = [
            (6, lambda inner: (self._collective(inner),)),
            (1, lambda _: (Print("working"),)),
        ]
        if scope.depth < _DEPTH:
            choices.append((2, self._uniform_branch))
            if Construct.LOOP in self._constructs:
                choices.append((2, self._uniform_loop))
            if Construct.WHILE in self._constructs:
                choices.append((1, self._uniform_while))
            if Construct.EXCEPTION in self._constructs:
                choices.append((1, lambda inner: (Try(self._short(inner), (Print("failed"),)),)))
        if self._functions:
            choices.append((3, self._call))
        if Construct.DUPLICATE in self._constructs:
            choices.append((1, self._duplicate))
        if Construct.SPLIT in self._constructs:
            choices.append((1, self._split))
        return self._pick(choices)(scope)

    def _divergent(self, scope: _Scope) -> Block:
        """A statement that may diverge: sometimes with the same communication on all ranks, sometimes not."""
        choices: list[tuple[int, Callable[[_Scope], Block]]] = [
            (3, lambda inner: (If(self._divergent_test(inner), (Print("leader"),)),)),
            (2, self._equal_arms),
            (2, self._complementary),
            (2, lambda inner: (If(self._divergent_test(inner), self._some(inner)),)),
        ]
        if Construct.ARMS in self._constructs:
            choices.append((2, lambda inner: (If(self._divergent_test(inner), self._some(inner), self._some(inner)),)))
        if Construct.NESTED in self._constructs and scope.depth < _DEPTH:
            choices.append((2, lambda inner: (If(self._divergent_test(inner), self._short(inner)),)))
        if Construct.DERIVED in self._constructs:
            choices.append((3, self._derive))
        if Construct.SPLIT in self._constructs:
            choices.append((1, self._split_for_arm))
        if Construct.TRIPS in self._constructs and scope.depth < _DEPTH:
            choices.append((1, self._divergent_loop))
        if Construct.ROOT in self._constructs:
            choices.append((1, self._divergent_root))
        if Construct.LOCAL in self._constructs:
            choices.append((2, self._local_value))
        if Construct.EXCEPTION in self._constructs and scope.depth < _DEPTH:
            choices.append((1, self._divergent_raise))
        leaving = self._leaving(scope)
        if leaving:
            choices.append((2, lambda inner: self._divergent_exit(inner, leaving)))
        return self._pick(choices)(scope)

    def _pick(self, choices: list[tuple[int, Callable[[_Scope], Block]]]) -> Callable[[_Scope], Block]:
        weights = [weight for weight, _ in choices]
        return self._chance.choices([choice for _, choice in choices], weights)[0]

    def _some(self, scope: _Scope) -> Block:
        inner = scope.inner()
        return tuple(self._collective(inner) for _ in range(self._chance.randint(1, 2)))

    def _collective(self, scope: _Scope, operation: str | None = None) -> Collective:
        chosen = operation or self._chance.choice(("Barrier", "Barrier", "Bcast", "Allreduce", *PASSING))
        communicator = self._chance.choice(scope.communicators)
        root: Expression | None = Constant(0) if chosen in ROOTED else None
        if root is not None and communicator == WORLD and self._chance.random() < 0.3:
            root = self._chance.choice((Constant(1), Binary("-", Size(), Constant(1))))
        reduction = self._chance.choice(("SUM", "MAX")) if chosen in REDUCING else None
        if chosen not in PASSING:
            return Collective(chosen, communicator, root, reduction)
        name = self._fresh("value")
        value = self._number(scope) if chosen != "scatter" else None
        if communicator == WORLD and chosen in ("bcast", "allreduce"):
            scope.uniform.append(Name(name))
            scope.numbers.append(name)
        elif Construct.LOCAL in self._constructs and communicator == WORLD:
            if chosen in ("gather", "reduce"):
                scope.local.append(Present(name))
            elif chosen == "scatter":
                scope.local.append(Binary(">", Name(name), Constant(0)))
        return Collective(chosen, communicator, root, reduction, value, name)

    def _number(self, scope: _Scope) -> Expression:
        known: list[Expression] = [Constant(1), Rank(), Size(), *map(Name, scope.numbers)]
        return self._chance.choice(known)

    def _uniform_branch(self, scope: _Scope) -> Block:
        orelse = self._short(scope) if self._chance.random() < 0.5 else ()
        return (If(self._uniform_test(scope), self._short(scope), orelse),)

    def _uniform_loop(self, scope: _Scope) -> Block:
        counts: list[Expression] = [Constant(2), Size(), *(e for e in scope.uniform if isinstance(e, Input))]
        return (For(self._fresh("i"), self._chance.choice(counts), self._short(scope, loop=True)),)

    def _uniform_while(self, scope: _Scope) -> Block:
        counter = self._fresh("count")
        step = Assign(counter, Binary("+", Name(counter), Constant(1)))
        body = self._short(scope, loop=True)
        if self._chance.random() < 0.5:
            return Assign(counter, Constant(0)), While(Binary("<", Name(counter), Constant(2)), (step, *body))
        leave = If(Binary(">=", Name(counter), Constant(2)), (Break(),))
        return Assign(counter, Constant(0)), While(None, (step, leave, *body))

    def _call(self, scope: _Scope) -> Block:
        names = [f.name for f in self._functions if f.name not in self._predicates]
        if not names:
            return ()
        return (Call(self._chance.choice(names), self._chance.choice(scope.communicators), self._argument(scope)),)

    def _argument(self, scope: _Scope) -> Expression:
        if self._has(Construct.ARGUMENT, 0.3):
            return self._rank_test(scope)
        return self._uniform_test(scope)

    def _duplicate(self, scope: _Scope) -> Block:
        name = self._fresh("copy")
        made = Duplicate(name, self._chance.choice(scope.communicators))
        scope.communicators.append(name)
        return (made,)

    def _split(self, scope: _Scope) -> Block:
        name = self._fresh("part")
        colour = self._chance.choice((Binary("%", Rank(), Constant(2)), Binary(">", Rank(), Constant(0)), Constant(0)))
        scope.communicators.append(name)
        return (Split(name, WORLD, colour),)

    def _equal_arms(self, scope: _Scope) -> Block:
        body = self._some(scope)
        return (If(self._divergent_test(scope), body, tuple(self._again(s) for s in body)),)

    def _complementary(self, scope: _Scope) -> Block:
        """Two branches on the same condition that together are one."""
        test = self._divergent_test(scope)
        body = self._some(scope)
        other: Expression = Not(test)
        match test:
            case Binary(operator="==", left=left, right=right):
                other = Binary("!=", left, right)
            case Binary(operator=">", left=left, right=Constant(value=0)):
                other = Binary("==", left, Constant(0))
        between = (Print("working"),) if self._chance.random() < 0.5 else ()
        return If(test, body), *between, If(other, tuple(self._again(s) for s in body))

    def _again(self, statement: Statement) -> Statement:
        return replace(statement) if isinstance(statement, Collective) else statement

    def _derive(self, scope: _Scope) -> Block:
        name = self._fresh("chosen")
        test = self._rank_test(scope)
        scope.local.append(Name(name))
        if self._predicates and self._chance.random() < 0.5:
            return (Call(self._predicates[0], WORLD, Constant(0), name),)
        if self._chance.random() < 0.5:
            return (Assign(name, test),)
        return Assign(name, Constant(0)), If(test, (Assign(name, Constant(1)),))

    def _split_for_arm(self, scope: _Scope) -> Block:
        name = self._fresh("part")
        test = self._rank_test(scope)
        own = scope.inner()
        own.communicators = [name]
        orelse = (self._collective(own),) if self._chance.random() < 0.5 else ()
        return Split(name, WORLD, test), If(test, (self._collective(own),), orelse)

    def _divergent_loop(self, scope: _Scope) -> Block:
        count = self._chance.choice((Rank(), Binary("-", Size(), Rank()), Binary("+", Rank(), Constant(1))))
        body = self._some(scope) if self._chance.random() < 0.5 else (Print("working"),)
        return (For(self._fresh("i"), count, body),)

    def _divergent_root(self, scope: _Scope) -> Block:
        root = self._chance.choice((Rank(), Binary("%", Rank(), Constant(2)), Constant(0)))
        return (replace(self._collective(scope.inner(), "Bcast"), communicator=WORLD, root=root),)

    def _local_value(self, scope: _Scope) -> Block:
        scattered = self._collective(replace(scope.inner(), communicators=[WORLD]), "scatter")
        assert scattered.target is not None
        scope.local.append(Binary(">", Name(scattered.target), Constant(0)))
        return (scattered,)

    def _divergent_raise(self, scope: _Scope) -> Block:
        body = (If(self._divergent_test(scope), (Raise(),)), *self._short(scope))
        handler = self._some(scope) if self._chance.random() < 0.3 else (Print("failed"),)
        return (Try(body, handler),) if self._chance.random() < 0.7 else body

    def _leaving(self, scope: _Scope) -> list[Statement]:
        found: list[Statement] = []
        if scope.may_return and Construct.RETURN in self._constructs:
            found.append(Return())
        if scope.in_loop and Construct.BREAK in self._constructs:
            found.append(Break())
        if scope.in_loop and Construct.CONTINUE in self._constructs:
            found.append(Continue())
        return found

    def _divergent_exit(self, scope: _Scope, leaving: list[Statement]) -> Block:
        test = self._divergent_test(scope) if self._chance.random() < 0.7 else self._uniform_test(scope)
        before = self._some(scope) if self._has(Construct.ARMS, 0.2) else (Print("leaving"),)
        return (If(test, (*before, self._chance.choice(leaving))),)

    # --- tests ---

    def _uniform_test(self, scope: _Scope) -> Expression:
        if scope.uniform and self._chance.random() < 0.7:
            value = self._chance.choice(scope.uniform)
            return Binary(self._chance.choice((">", "==")), value, Constant(1))
        return Binary(">", Size(), Constant(self._chance.choice((2, 3))))

    def _divergent_test(self, scope: _Scope) -> Expression:
        if scope.local and self._chance.random() < 0.5:
            return self._chance.choice(scope.local)
        return self._rank_test(scope)

    def _rank_test(self, scope: _Scope) -> Expression:
        rank = Rank()
        choices: list[Expression] = [
            Binary("==", rank, Constant(0)),
            Binary("==", rank, Constant(0)),
            Binary("==", rank, Constant(1)),
            Binary("!=", rank, Constant(0)),
            Binary(">", rank, Constant(0)),
            Binary(">=", rank, Constant(1)),
            Binary("<", rank, Constant(1)),
            Binary("%", rank, Constant(2)),
            Binary("==", Binary("%", rank, Constant(2)), Constant(0)),
            Binary("==", rank, Binary("-", Size(), Constant(1))),
            Not(rank),
            rank,
        ]
        # An input used in no other test: with it such a test is not uniform.
        extra = Binary(">", Input("extra"), Constant(1))
        choices.append(Binary(self._chance.choice(("and", "or")), Binary("==", rank, Constant(0)), extra))
        return self._chance.choice(choices)
