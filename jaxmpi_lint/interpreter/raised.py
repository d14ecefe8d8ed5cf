"""Exceptions of an interpreted program: as objects, and on their way to a handler."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter.symbols import Symbol, freeze
from jaxmpi_lint.interpreter.values import ClassValue, Library, Value


@dataclass(slots=True, eq=False)
class Raised:
    """An exception object; ``kind`` is the class, of the project or the name of a built-in one."""

    kind: Value
    args: tuple[Value, ...] = ()
    fields: dict[str, Value] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.kind.ir.name if isinstance(self.kind, ClassValue) else str(self.kind).rpartition(".")[2]

    def freeze(self, depth: int) -> object:
        """Class and arguments."""
        return "exception", self.name, freeze(self.args, depth)


class ProgramError(Exception):
    """An exception of the program on its way to a handler.

    ``is_computed`` if a statement raises it or known operands make an operation fail. A failure that an operation on a
    symbol could have is none: it is never raised.
    """

    def __init__(self, value: Raised, place: tuple[ir.Module, ir.Span] | None = None) -> None:
        super().__init__(value.name)
        self.value = value
        self.place = place


def kind_of(raised: Raised) -> Value:
    """The class of an exception."""
    if isinstance(raised.kind, ClassValue):
        return raised.kind
    name = str(raised.kind)
    return Library(name if "." in name else f"builtins.{name}")


def is_regular_end(error: ProgramError | None) -> bool:
    """Whether a rank ends well: ``sys.exit(main())`` at the end of a script is no failure, if the status may be 0."""
    if error is None:
        return True
    status = error.value.args[0] if error.value.args else None
    return error.value.name == "SystemExit" and (isinstance(status, Symbol) or status in (None, 0))


def fail(kind: str, *args: Value) -> ProgramError:
    """A built-in exception."""
    return ProgramError(Raised(kind, args))


def departing(error: ProgramError) -> ProgramError:
    """Mark a failure as what this rank alone does in its world."""
    error.value.fields["*departs"] = True
    return error


def following(error: ProgramError, handled: Raised | None) -> ProgramError:
    """An exception that is raised after another one was handled: it departs too if that one does."""
    return departing(error) if handled is not None and handled.fields.get("*departs") else error


def unfit(*operands: Value, kind: str = "TypeError") -> ProgramError:
    """The failure of an operation; certain if an operand is None, which no model takes for an unknown value."""
    raised = Raised(kind)
    if any(operand is None for operand in operands):
        raised.fields["*explicit"] = raised.fields["*none"] = True
    return ProgramError(raised)
