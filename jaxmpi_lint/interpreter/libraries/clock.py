"""`time`, `datetime`, `random`, `uuid`: values of one process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxmpi_lint.interpreter.libraries.handlers import ignored, own, pure
from jaxmpi_lint.interpreter.models import Arguments, Handler
from jaxmpi_lint.interpreter.values import Value

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.interfaces import RankView as Rank

_SECONDS = ("time", "perf_counter", "monotonic", "process_time", "thread_time", "clock")
_NOW = ("datetime.now", "datetime.utcnow", "datetime.today", "date.today")


def _at(name: str, position: int, kind: str) -> Handler:
    """A function of a time that is the present one if it is not given."""
    dotted = f"time.{name}"
    of_argument = pure(dotted, kind)

    def call(rank: Rank, arguments: Arguments) -> Value:
        if arguments.has(position):
            return of_argument(rank, arguments)
        return rank.own("clock", dotted, *arguments.values, kind=kind)

    return call


FUNCTIONS: dict[str, Any] = {
    **{f"time.{name}": own("clock", f"time.{name}", "float") for name in _SECONDS},
    **{f"time.{name}_ns": own("clock", f"time.{name}_ns", "int") for name in _SECONDS},
    **{f"datetime.{name}": own("clock", f"datetime.{name}", "time") for name in _NOW},
    "timeit.default_timer": own("clock", "timeit.default_timer", "float"),
    "timeit.timeit": own("clock", "timeit.timeit", "float"),
    "time.sleep": ignored,
    "time.tzset": ignored,
    "time.ctime": _at("ctime", 0, "str"),
    "time.localtime": _at("localtime", 0, "time"),
    "time.gmtime": _at("gmtime", 0, "time"),
    "time.asctime": _at("asctime", 0, "str"),
    "time.strftime": _at("strftime", 1, "str"),
    **{f"uuid.{name}": own("random", f"uuid.{name}", "uuid") for name in ("uuid1", "uuid4")},
    **{
        f"secrets.{name}": own("random", f"secrets.{name}", kind)
        for name, kind in (
            ("token_hex", "str"), ("token_urlsafe", "str"), ("token_bytes", "bytes"), ("randbelow", "int"),
            ("choice", ""), ("randbits", "int"),
        )
    },
    **{f"os.{name}": own("random", f"os.{name}", "bytes") for name in ("urandom", "getrandom")},
}  # fmt: skip
PURE = ("datetime", "calendar", "zoneinfo", "time.mktime", "time.strptime", "uuid", "dateutil")
