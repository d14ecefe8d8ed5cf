"""Operations that may fail on one rank only, where a handler catches the exception and continues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.interpreter import evaluation, variations
from jaxmpi_lint.interpreter.exceptions import catches, is_a
from jaxmpi_lint.interpreter.frames import Frame
from jaxmpi_lint.interpreter.managed import Suppressing
from jaxmpi_lint.interpreter.models import Arguments
from jaxmpi_lint.interpreter.operations import is_plain
from jaxmpi_lint.interpreter.raised import Raised, departing, fail
from jaxmpi_lint.interpreter.values import ClassValue, Cut, Library, NeedsCall, Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_OF_FILES = {
    "builtins.open": "FileNotFoundError", "io.open": "FileNotFoundError", "gzip.open": "FileNotFoundError",
    "codecs.open": "FileNotFoundError", "os.remove": "FileNotFoundError", "os.unlink": "FileNotFoundError",
    "os.rmdir": "OSError", "os.rename": "OSError", "os.stat": "FileNotFoundError", "os.mkdir": "FileExistsError",
    "os.listdir": "FileNotFoundError", "os.path.getsize": "FileNotFoundError", "shutil.rmtree": "OSError",
    "shutil.copy": "OSError", "shutil.copyfile": "OSError", "shutil.move": "OSError",
    "numpy.load": "FileNotFoundError", "numpy.loadtxt": "FileNotFoundError", "numpy.genfromtxt": "FileNotFoundError",
    "numpy.fromfile": "FileNotFoundError", "h5py.File": "OSError", "pickle.load": "EOFError",
    "json.load": "json.JSONDecodeError", "yaml.safe_load": "yaml.YAMLError", "yaml.load": "yaml.YAMLError",
    "subprocess.check_output": "subprocess.CalledProcessError", "pandas.read_csv": "FileNotFoundError",
    "subprocess.check_call": "subprocess.CalledProcessError", "os.open": "FileExistsError",
    "os.link": "FileExistsError", "os.symlink": "FileExistsError",
}  # fmt: skip
_OF_OPERANDS = {
    "builtins.int": "ValueError", "builtins.float": "ValueError", "json.loads": "json.JSONDecodeError",
    "zlib.decompress": "zlib.error",
    "pickle.loads": "pickle.UnpicklingError", "numpy.linalg.inv": "numpy.linalg.LinAlgError",
    "numpy.linalg.solve": "numpy.linalg.LinAlgError", "numpy.linalg.cholesky": "numpy.linalg.LinAlgError",
    "scipy.linalg.cholesky": "numpy.linalg.LinAlgError", "scipy.linalg.inv": "numpy.linalg.LinAlgError",
    "scipy.linalg.solve": "numpy.linalg.LinAlgError", "scipy.linalg.eigh": "numpy.linalg.LinAlgError",
    "numpy.linalg.eig": "numpy.linalg.LinAlgError", "numpy.linalg.eigh": "numpy.linalg.LinAlgError",
    "numpy.linalg.svd": "numpy.linalg.LinAlgError", "numpy.linalg.lstsq": "numpy.linalg.LinAlgError",
    "scipy.optimize.curve_fit": "RuntimeError", "scipy.optimize.newton": "RuntimeError",
    "scipy.optimize.brentq": "ValueError", "scipy.optimize.brenth": "ValueError",
    "scipy.optimize.bisect": "ValueError",
}  # fmt: skip
_CLASSES = (ClassValue, Library)
_EXITS = frozenset({"exit", "_exit", "quit", "Abort", "abort", "MPI_Abort", "kill"})


def check(rank: Rank, function: str, arguments: Arguments) -> None:
    """Raise the exception of an operation where the world has it fail."""
    kind = _OF_FILES.get(function)
    may_fail = kind is not None and _reads(function, arguments) and goes_on(rank, kind)
    if may_fail and variations.fails(rank, function, rank.frames[-1].path, rank.state.get("span")):
        raise departing(fail(str(kind)))
    kind = _OF_OPERANDS.get(function)
    may_fail = kind is not None and _may_fail(function, arguments) and goes_on(rank, kind)
    if may_fail and variations.fails_alike(rank, function, arguments.values):
        raise departing(fail(str(kind)))


def _reads(function: str, arguments: Arguments) -> bool:
    """Whether a file is opened for reading, where it may be missing."""
    if function == "os.open" or (not function.endswith("open") and function != "h5py.File"):
        return True
    mode = arguments.get(1, "mode", "r")
    return isinstance(mode, str) and mode.startswith("r")


def _may_fail(function: str, arguments: Arguments) -> bool:
    """Numbers of known operands and of numbers are computed; other operands are not known."""
    value = arguments.get(0)
    return not is_plain(value) and getattr(value, "kind", "") not in ("int", "float", "bool")


def goes_on(rank: Rank, kind: Value) -> bool:
    """Whether an exception is caught by a handler after which the program goes on.

    A handler may raise another exception instead, which an outer one catches.
    """
    raised = Raised(kind)
    for frame in reversed(rank.frames):
        handlers = frame.function.blocks[frame.block].handlers
        while handlers:
            entry = next((one for one in handlers if _catches(rank, frame, one, raised)), None)
            if entry is None:
                break
            if _continues(frame.function, entry):
                return True
            last = _only_raise(frame.function, entry)
            if last is None:
                return False
            raised = _raised_anew(rank, frame, last) or raised
            handlers = last.handlers
        for entered in frame.contexts:
            if isinstance(entered.value, Suppressing) and any(is_a(raised, one) for one in entered.value.kinds):
                return True
    return False


def expects(rank: Rank, kind: str) -> bool:
    """Whether the function itself has a handler that names an exception here, after which it goes on."""
    frame = rank.frames[-1]
    handlers = frame.function.blocks[frame.block].handlers
    entry = next((one for one in handlers if _catches(rank, frame, one, Raised(kind))), None)
    return entry is not None and _names(frame, entry, kind) and _continues(frame.function, entry)


def _names(frame: Frame, entry: int, kind: str) -> bool:
    """Whether a handler names an exception, not a class of many such as `Exception`."""
    named = frame.prepared.handlers[entry].kind
    return named is not None and any(isinstance(node, ir.Name) and node.id == kind for node in ir.walk(named))


def _catches(rank: Rank, frame: Frame, entry: int, raised: Raised) -> bool:
    handler = frame.prepared.handlers.get(entry)
    try:
        return handler is not None and catches(rank, frame, handler, raised)
    except (NeedsCall, Cut):
        return False


def _only_raise(function: ir.Function, entry: int) -> ir.Block | None:
    """The block with the one ``raise`` to which a handler leads."""
    found = [function.blocks[index] for index in _reachable(function, entry)]
    raising = [block for block in found if isinstance(block.terminator, ir.Raise)]
    return raising[0] if len(raising) == 1 else None


def _raised_anew(rank: Rank, frame: Frame, block: ir.Block) -> Raised | None:
    """The exception that a block raises; None for the one that was caught."""
    value = block.terminator.value if isinstance(block.terminator, ir.Raise) else None
    if value is None:
        return None
    try:
        kind = evaluation.evaluate(rank, frame, value.func if isinstance(value, ir.Call) else value)
    except (NeedsCall, Cut):
        return None
    return Raised(kind if isinstance(kind, ClassValue) else kind.dotted) if isinstance(kind, _CLASSES) else None


def _reachable(function: ir.Function, entry: int) -> set[int]:
    """The blocks to which a block leads without an exception."""
    seen: set[int] = set()
    stack = [entry]
    while stack:
        index = stack.pop()
        if index not in seen:
            seen.add(index)
            stack += function.blocks[index].successors
    return seen


def _continues(function: ir.Function, entry: int) -> bool:
    """Whether a path from a block neither raises nor ends the program."""
    seen: set[int] = set()
    stack = [entry]
    while stack:
        index = stack.pop()
        block = function.blocks[index]
        if index in seen or any(_ends_program(step) for step in block.steps):
            continue
        seen.add(index)
        if isinstance(block.terminator, ir.Return):
            return True
        stack += block.successors
    return False


def _ends_program(step: ir.Step) -> bool:
    if not isinstance(step, ir.Evaluate) or not isinstance(step.expression, ir.Call):
        return False
    return (ir.dotted(step.expression.func) or "").rpartition(".")[2] in _EXITS
