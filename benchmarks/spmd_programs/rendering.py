"""The text of a program, as usually written with mpi4py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    parts,
    walk,
)

BUFFERED = {"Bcast": "buffer", "Allreduce": "MPI.IN_PLACE, buffer"}
"""Collectives on buffers, and their arguments."""
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Text:
    """A text, the rows of its communication calls, and those of its `raise` statements."""

    source: str
    communication: frozenset[int]
    raises: frozenset[int]

    @property
    def rows(self) -> int:
        """The number of lines."""
        return self.source.count("\n")


def render(program: Program) -> Text:
    """The text; the program's style selects a main function or a script, and the sources of inputs and ranks."""
    return _Renderer(program).render()


class _Renderer:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._arguments, self._attributes = program.style & 1, program.style & 2
        self._script = program.style & 4 and not any(isinstance(s, Return) for s in walk(program.main))
        self._lines: list[str] = []
        self._communication: set[int] = set()
        self._raises: set[int] = set()

    def render(self) -> Text:
        self._imports()
        for function in self._program.functions:
            self._lines += ["", "", f"def {function.name}({WORLD}, flag):"]
            self._body(function.body, 1)
        if self._script:
            self._lines += ["", f"{WORLD} = MPI.COMM_WORLD"]
            self._body(self._program.main, 0)
        else:
            self._lines += ["", "", "def main():", f"{_INDENT}{WORLD} = MPI.COMM_WORLD"]
            self._body(self._program.main, 1)
            self._lines += ["", "", 'if __name__ == "__main__":', f"{_INDENT}main()"]
        return Text("\n".join(self._lines) + "\n", frozenset(self._communication), frozenset(self._raises))

    def _imports(self) -> None:
        inputs = sorted({e.name for e in self._program.expressions() if isinstance(e, Input)})
        if inputs:
            self._lines.append("import argparse" if self._arguments else "import os")
        if any(isinstance(s, Collective) and s.operation in BUFFERED for s in self._program.statements()):
            self._lines.append("import numpy as np")
        self._lines.append("from mpi4py import MPI")
        if inputs and self._arguments:
            self._lines += ["", "parser = argparse.ArgumentParser()"]
            self._lines += [f'parser.add_argument("--{name}", type=int, default=1)' for name in inputs]
            self._lines.append("options = parser.parse_args()")
        elif inputs:
            self._lines += ["", *(f'{name.upper()} = int(os.environ.get("{name.upper()}", "1"))' for name in inputs)]

    def _body(self, body: Block, depth: int) -> None:
        used = [e for e in Program((), body).expressions() if isinstance(e, Rank | Size) and e.communicator == WORLD]
        if not self._attributes and any(isinstance(e, Rank) for e in used):
            self._add(f"rank = {WORLD}.Get_rank()", depth)
        if not self._attributes and any(isinstance(e, Size) for e in used):
            self._add(f"size = {WORLD}.Get_size()", depth)
        if any(isinstance(s, Collective) and s.operation in BUFFERED for s in walk(body)):
            self._add("buffer = np.zeros(4)", depth)
        self._block(body, depth)

    def _block(self, block: Block, depth: int) -> None:
        for statement in block:
            self._statement(statement, depth)
        if not block:
            self._add("pass", depth)

    def _add(self, line: str, depth: int) -> None:
        self._lines.append(_INDENT * depth + line)

    def _statement(self, statement: Statement, depth: int) -> None:
        text = self._expression
        match statement:
            case If(test=test, body=body, orelse=orelse):
                self._add(f"if {text(test)}:", depth)
                self._block(body, depth + 1)
                if orelse:
                    self._add("else:", depth)
                    self._block(orelse, depth + 1)
            case For(target=target, count=count, body=body):
                self._add(f"for {target} in range({text(count)}):", depth)
                self._block(body, depth + 1)
            case While(test=loop_test, body=body):
                self._add(f"while {text(loop_test) if loop_test is not None else 'True'}:", depth)
                self._block(body, depth + 1)
            case Try(body=body, handler=handler):
                self._add("try:", depth)
                self._block(body, depth + 1)
                self._add("except ValueError:", depth)
                self._block(handler, depth + 1)
            case Collective() | Duplicate() | Split() | Call():
                self._add(self._communicating(statement), depth)
                if not isinstance(statement, Call) or statement.target is None:
                    self._communication.add(len(self._lines))
            case Assign() | Print() | Raise() | Return() | Break() | Continue():
                self._add(self._simple(statement), depth)
                if isinstance(statement, Raise):
                    self._raises.add(len(self._lines))

    def _communicating(self, statement: Collective | Duplicate | Split | Call) -> str:
        target = f"{statement.target} = " if statement.target is not None else ""
        match statement:
            case Duplicate(communicator=communicator):
                return f"{target}{communicator}.Dup()"
            case Split(communicator=communicator, colour=colour):
                return f"{target}{communicator}.Split({self._expression(colour)})"
            case Call(function=function, communicator=communicator, argument=argument):
                return f"{target}{function}({communicator}, {self._expression(argument)})"
            case Collective(operation=operation, communicator=communicator):
                return f"{target}{communicator}.{operation}({', '.join(self._arguments_of(statement))})"

    def _arguments_of(self, call: Collective) -> Iterator[str]:
        if call.operation in BUFFERED:
            yield BUFFERED[call.operation]
        elif call.operation == "scatter":
            size = f"{call.communicator}.Get_size()"
            yield f"list(range({size}))"
        elif call.value is not None:
            yield self._expression(call.value)
        if call.reduction is not None:
            yield f"op=MPI.{call.reduction}"
        if call.root is not None:
            yield f"root={self._expression(call.root)}"

    def _simple(self, statement: Assign | Print | Raise | Return | Break | Continue) -> str:
        match statement:
            case Assign(target=target, value=value):
                return f"{target} = {self._expression(value)}"
            case Print(text=text):
                return f'print("{text}")'
            case Raise():
                return 'raise ValueError("wrong")'
            case Return(value=None):
                return "return"
            case Return(value=value):
                assert value is not None
                return f"return {self._expression(value)}"
            case Break():
                return "break"
            case Continue():
                return "continue"

    def _expression(self, expression: Expression, inner: bool = False) -> str:
        match expression:
            case Constant(value=value):
                return repr(value)
            case Name(name=name):
                return name
            case Input(name=name):
                return f"options.{name}" if self._arguments else name.upper()
            case Rank(communicator=communicator):
                return self._property(communicator, "rank")
            case Size(communicator=communicator):
                return self._property(communicator, "size")
            case Present(name=name):
                text = f"{name} is not None"
            case Not(operand=operand):
                text = f"not {self._expression(operand, True)}"
            case Binary(operator=operator, left=left, right=right):
                text = f"{self._expression(left, True)} {operator} {self._expression(right, True)}"
        return f"({text})" if inner else text

    def _property(self, communicator: str, name: str) -> str:
        if self._attributes:
            return f"{communicator}.{name}"
        return name if communicator == WORLD else f"{communicator}.Get_{name}()"


def names_in(expression: Expression) -> frozenset[str]:
    """The variables that an expression reads."""
    return frozenset(e.name for e in parts(expression) if isinstance(e, Name | Present))
