"""`os`, `sys`, `socket`, `platform`: what a process knows of its environment."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter import process_numbers
from jaxmpi_lint.interpreter.container_values import CommandLine
from jaxmpi_lint.interpreter.libraries import launcher_variables
from jaxmpi_lint.interpreter.libraries.handlers import ignored, own, pure, silent
from jaxmpi_lint.interpreter.models import Arguments, Handler, Modelled
from jaxmpi_lint.interpreter.raised import fail, kind_of
from jaxmpi_lint.interpreter.values import MISSING, Method, Value
from jaxmpi_lint.library.python.process_values import IDENTITIES

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank


class Environ(Modelled):
    """`os.environ`: variables are equal on all processes, but for those that a launcher sets."""

    __slots__ = ("assigned",)
    type_name = "environ"

    def __init__(self) -> None:
        self.assigned: dict[str, Value] = {}

    def freeze(self, _depth: int) -> object:
        """The name: what is assigned is not part of it."""
        return ("environ",)

    def attribute(self, rank: Rank, name: str) -> Value:
        """Methods only."""
        return Method(self, name)

    def known(self, rank: Rank, name: Value) -> Value:
        """A variable that the program has set, or the launcher."""
        if not isinstance(name, str):
            return MISSING
        if name in self.assigned:
            return self.assigned[name]
        set_by_launcher = launcher_variables.text(rank, name)
        if set_by_launcher is not None:
            return set_by_launcher
        number = process_numbers.known(rank, ("environ", name))
        return number if number is MISSING else str(number)

    def item(self, rank: Rank, index: Value) -> Value:
        """``os.environ[name]``."""
        found = self.known(rank, index)
        return rank.symbol("environ", index, kind="str") if found is MISSING else found

    def set_item(self, rank: Rank, index: Value, value: Value) -> None:
        """``os.environ[name] = value``."""
        if isinstance(index, str):
            self.assigned[index] = value


def _environ(rank: Rank) -> Environ:
    found: Environ = rank.state.setdefault("environ", Environ())
    return found


_OF_JOB = re.compile(
    r"RANK|SIZE|PROC|TASK|NODE|HOST|LOCAL|SLURM|PBS|LSB|PMI|MPI|CUDA|DEVICE|GPU|ADDR|PORT|COORD|ROLE|MASTER|ROOT|LEAD|"
    r"WORKER|WORLD|THREAD|ID$",
    re.IGNORECASE,
)
"""Variables that a launcher may set: without them, a job is another one."""


def _get(rank: Rank, environ: Environ, arguments: Arguments) -> Value:
    name, default = arguments.get(0, "key"), arguments.get(1, "default")
    found = environ.known(rank, name)
    if found is MISSING:
        if isinstance(name, str) and isinstance(default, (str, int, float)) and not _OF_JOB.search(name):
            rank.world.symbols.reads_options = True
            if rank.world.symbols.takes_defaults:
                return default
        return rank.symbol("environ", name, default, kind="str" if isinstance(default, str) else "")
    return found


def _set_default(rank: Rank, environ: Environ, arguments: Arguments) -> Value:
    found = _get(rank, environ, arguments)
    environ.set_item(rank, arguments.get(0), found)
    return found


def _update(rank: Rank, environ: Environ, arguments: Arguments) -> Value:
    given = arguments.get(0)
    for name, value in {**(given if isinstance(given, dict) else {}), **arguments.keywords}.items():
        environ.set_item(rank, name, value)


def _pop(rank: Rank, environ: Environ, arguments: Arguments) -> Value:
    found = _get(rank, environ, arguments)
    if isinstance(arguments.get(0), str):
        environ.assigned.pop(arguments.get(0), None)
    return found


def _getenv(rank: Rank, arguments: Arguments) -> Value:
    return _get(rank, _environ(rank), arguments)


class VersionInfo(tuple[Any, ...]):
    """`sys.version_info`."""

    __slots__ = ()


_VERSION = VersionInfo((3, 12, 0, "final", 0))


def _information(rank: Rank, arguments: Arguments) -> Value:
    caught = rank.frames[-1].caught
    if caught is None:
        return (None, None, None)
    return kind_of(caught), caught, rank.symbol("traceback")


def _at_exit(rank: Rank, arguments: Arguments) -> Value:
    function = arguments.get(0)
    if type(function).__name__ in ("FunctionValue", "BoundMethod"):
        rank.state.setdefault("exits", []).append((function, arguments.values[1:], dict(arguments.keywords)))
    return function


def _unset(rank: Rank, arguments: Arguments) -> Value:
    _environ(rank).assigned.pop(arguments.get(0), None)


def _putenv(rank: Rank, arguments: Arguments) -> Value:
    _environ(rank).set_item(rank, arguments.get(0), arguments.get(1))


def _change_item(rank: Rank, environ: Environ, arguments: Arguments) -> Value:
    if len(arguments.values) != 2:
        raise fail("TypeError")
    environ.set_item(rank, *arguments.values)


_MACHINE = {
    "os.getpid": "int", "os.getppid": "int", "os.cpu_count": "int", "os.uname": "", "os.getlogin": "str",
    "os.sched_getaffinity": "", "os.getloadavg": "", "os.times": "", "os.system": "int", "os.popen": "",
    "os.getpgid": "int", "os.process_cpu_count": "int",
    "socket.gethostname": "str", "socket.getfqdn": "str", "socket.gethostbyname": "str",
    "socket.create_connection": "", "platform.node": "str", "platform.uname": "", "platform.processor": "str",
    "multiprocessing.cpu_count": "int", "multiprocessing.current_process": "", "threading.get_ident": "int",
    "threading.active_count": "int", "threading.current_thread": "", "shutil.which": "", "shutil.disk_usage": "",
    "resource.getrusage": "", "subprocess.run": "", "subprocess.Popen": "", "subprocess.call": "int",
    "subprocess.check_output": "", "subprocess.check_call": "int", "subprocess.getoutput": "str",
    "subprocess.getstatusoutput": "", "sys.stdin.read": "str", "sys.stdin.readline": "str", "builtins.input": "str",
    "getpass.getpass": "str", "psutil.virtual_memory": "", "psutil.cpu_count": "int", "psutil.Process": "",
    "tracemalloc.get_traced_memory": "", "gc.collect": "int", "gc.get_count": "",
}  # fmt: skip


def _identity(name: str) -> Handler:
    """A function whose result is the same in each call of one process."""

    def call(rank: Rank, arguments: Arguments) -> Value:
        return rank.identity("machine", name, kind=_MACHINE[name])

    return call


FUNCTIONS: dict[str, Any] = {
    **{name: own("machine", name, kind) for name, kind in _MACHINE.items()},
    **{name: _identity(name) for name in IDENTITIES},
    "builtins.id": own("hash", "id", "int"),
    "os.getenv": _getenv,
    "os.putenv": _putenv,
    "os.unsetenv": _unset,
    "os.getcwd": pure("os.getcwd", "str"),
    "os.umask": ignored,
    "os.nice": ignored,
    "os.sync": ignored,
    "sys.exc_info": _information,
    "sys.getsizeof": pure("sys.getsizeof", "int"),
    "sys.getrecursionlimit": pure("sys.getrecursionlimit", "int"),
    "sys.stdout.isatty": pure("sys.stdout.isatty", "bool"),
    "sys.excepthook": ignored,
    "atexit.register": _at_exit,
    "atexit.unregister": ignored,
    "tracemalloc.start": ignored,
    "sys.stdout.fileno": pure("sys.stdout.fileno", "int"),
    "threading.Lock": silent("lock"),
    "threading.RLock": silent("lock"),
    "threading.Semaphore": silent("lock"),
    "threading.local": pure("threading.local"),
    "multiprocessing.Lock": silent("lock"),
    "version.major:attribute": lambda rank, value: value[0],
    "version.minor:attribute": lambda rank, value: value[1],
    "version.micro:attribute": lambda rank, value: value[2],
}
METHODS: dict[str, dict[str, Callable[..., Any]]] = {
    "environ": {
        "get": _get,
        "setdefault": _set_default,
        "update": _update,
        "pop": _pop,
        "copy": lambda rank, environ, arguments: environ,
        "__setitem__": _change_item,
        "keys": lambda rank, environ, arguments: rank.symbol("environ", "keys", kind="list"),
        "items": lambda rank, environ, arguments: rank.symbol("environ", "items", kind="list"),
    },
}


def _command_line(rank: Rank) -> Value:
    """The words of the command line: unknown, or the name of the program alone."""
    words, symbols = rank.symbol("argv", kind="list"), rank.world.symbols
    symbols.reads_arguments = True
    if symbols.needs_arguments or not symbols.takes_defaults:
        return words
    symbols.lacks_arguments = True
    return CommandLine([rank.symbol("item", words, 0, kind="str")])


CONSTANTS: dict[str, Callable[[Any], Value]] = {
    "os.environ": _environ,
    "sys.argv": _command_line,
    "sys.version_info": lambda rank: _VERSION,
    "sys.maxsize": lambda rank: 2**63 - 1,
    "sys.byteorder": lambda rank: "little",
    "sys.platform": lambda rank: rank.symbol("sys.platform", kind="str"),
    "sys.version": lambda rank: rank.symbol("sys.version", kind="str"),
    "sys.executable": lambda rank: rank.symbol("sys.executable", kind="str"),
    "os.sep": lambda rank: "/",
    "os.linesep": lambda rank: "\n",
    "os.pathsep": lambda rank: ":",
    "os.devnull": lambda rank: "/dev/null",
    "os.name": lambda rank: "posix",
}
TYPES: dict[type, str] = {VersionInfo: "version"}
PURE = (
    "platform",
    "sys",
    "locale",
    "sysconfig",
    "site",
    "getpass.getuser",
    "os.getuid",
    "os.geteuid",
    "os.get_terminal_size",
    "faulthandler",
    "signal",
    "resource.setrlimit",
    "gc",
    "logging",
    "warnings",
    "traceback",
    "pprint",
)
