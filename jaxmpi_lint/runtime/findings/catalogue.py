"""Every code of the sanitizer: its severity, its meaning, its remedy, and the related lint rules.

``python -m jaxmpi_lint.runtime.findings.catalogue [--check]`` writes the page ``docs/sanitizer-codes.md`` from it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jaxmpi_lint.runtime.findings import xla_catalogue
from jaxmpi_lint.runtime.findings.entry import Entry, Severity

PAGE = Path("docs/sanitizer-codes.md")


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
_DIVERGENCE = ("JM101", "JM102", "JM605", "JM801", "JM803")
_SKIPPED = tuple(f"JM{number}" for number in range(104, 115))

_TABLE = (
    Entry(
        "JS000",
        _INFO,
        "note",
        "Something that is legal but worth knowing, or something that is no longer checked, and why.",
        "No action is needed.",
        differences=("byte_note",),
    ),
    Entry(
        "JS101",
        _ERROR,
        "collective-mismatch",
        "The n-th collective on a communicator must be the same function on every rank. These ranks entered different "
        "functions: MPI would match their calls with each other and hang or corrupt memory.",
        "Find why the ranks diverge: a rank-dependent branch, an early exit, a loop with a rank-dependent trip count. "
        "Make every rank of the communicator call the same collectives in the same order.",
        (*_DIVERGENCE, *_SKIPPED, "JM804"),
        differences=("kind",),
    ),
    Entry(
        "JS102",
        _ERROR,
        "blocking-mismatch",
        "A blocking collective never matches a non-blocking or persistent one, even of the same name.",
        "Use the same form, `Allreduce` or `Iallreduce` with a wait, on every rank.",
        (*_DIVERGENCE, "JM104"),
        differences=("blocking",),
    ),
    Entry(
        "JS103",
        _ERROR,
        "root-mismatch",
        "All ranks must name the same root. With small messages the call often returns, with wrong data.",
        "Pass the same `root` on every rank; if it is computed, compute it on one rank and broadcast it.",
        ("JM119", "JM803", "JM801"),
        differences=("root",),
    ),
    Entry(
        "JS104",
        _ERROR,
        "reduction-operator-mismatch",
        "All ranks must pass the same reduction operator. Otherwise the call returns and the result is wrong.",
        "Pass the same `op` on every rank.",
        ("JM120", *_DIVERGENCE),
        differences=("reduction",),
    ),
    Entry(
        "JS105",
        _ERROR,
        "count-mismatch",
        "The ranks pass different amounts of data to one collective. Data are truncated, memory is overwritten, or the "
        "call fails on some ranks only.",
        "Compute the size on one rank and broadcast it, or use the variant with counts (`Allgatherv`, `Gatherv`, "
        "`Scatterv`, `Alltoallv`) where sizes may differ.",
        ("JM121", "JM205", "JM605"),
        differences=("count",),
    ),
    Entry(
        "JS106",
        _ERROR,
        "datatype-mismatch",
        "The ranks pass elements of different types to one collective; the bytes are silently reinterpreted.",
        "Use one dtype on every rank (`numpy.asarray(x, dtype=...)` before the call), also where a rank has no data.",
        ("JM121", "JM205"),
        compiled="Pass the same datatype on every rank, also where a rank has no data.",
        differences=("type",),
    ),
    Entry(
        "JS107",
        _ERROR,
        "in-place-mismatch",
        "Either all ranks or no rank must pass `MPI.IN_PLACE` to this collective.",
        "Pass `MPI.IN_PLACE` on every rank, or separate buffers on every rank.",
        ("JM206",),
        differences=("in_place",),
    ),
    Entry(
        "JS108",
        _ERROR,
        "exit-before-collective",
        "Ranks wait in a collective for a rank that has returned, raised, exited, or was killed and never enters it.",
        "Find why that rank ended (the report has its traceback, if there is one). If a rank may fail, combine an "
        "error flag of all ranks with `allreduce`, or end the job with `comm.Abort()`.",
        ("JM102", "JM101", "JM122", "JM124"),
        compiled="Find why that rank ended. If a rank may fail, combine an error flag of all ranks with "
        "`MPI_Allreduce`, or end the job with `MPI_Abort`.",
    ),
    Entry(
        "JS109",
        _ERROR,
        "argument-mismatch",
        "An argument that must be the same on every rank differs, for instance a split type, a file's access mode, or "
        "the mpi4py method that makes the call.",
        "Pass the same arguments on every rank.",
        _DIVERGENCE,
        differences=("note",),
    ),
    Entry(
        "JS110",
        _ERROR,
        "pairwise-count-mismatch",
        "In a collective with counts, the data that one rank sends to a second rank and the data that the second rank "
        "expects differ in size or type.",
        "Make the send count of rank A for rank B equal to the receive count of rank B for rank A; exchange the counts "
        "with an `alltoall` first.",
        ("JM205",),
        kinds=("counts",),
        differences=("part",),
    ),
    Entry(
        "JS111",
        _WARNING,
        "operator-origin-mismatch",
        "The ranks reduce with user-defined operators that were created on different lines or, in compiled code, from "
        "different functions. The operators may be equal; the sanitizer cannot compare them.",
        "Create the operator on one line that every rank executes, from the same function.",
        differences=("reduction_site",),
    ),
    Entry(
        "JS112",
        _ERROR,
        "collective-sequence-mismatch",
        "The ranks have entered the same number of collectives on a communicator, but different ones. The first "
        "difference is no longer in the history.",
        "Run with a longer history (`history=65536`), or with `JAXMPI_SANITIZE=strict`, to see the first difference.",
        _DIVERGENCE,
    ),
    Entry(
        "JS201",
        _ERROR,
        "deadlock",
        "Each of these ranks waits for another one of them, so none of them can continue.",
        "Break the cycle: let one side receive first, use `Sendrecv`, or post `Irecv` before `Send` and wait after it.",
        ("JM311", "JM305", "JM314", "JM301"),
    ),
    Entry(
        "JS202",
        _ERROR,
        "message-peer-exit",
        "A rank waits for a message, or for its message to be received, but the ranks that could send or receive it "
        "have ended.",
        "Check source, destination and tag, and how many messages each side expects; find why the other rank ended.",
        ("JM312", "JM313", "JM314", "JM101"),
    ),
    Entry(
        "JS203",
        _WARNING,
        "reliance-on-buffering",
        "The program continued only because MPI buffered messages for which no receive was posted yet. With larger "
        "messages, or with a different MPI library, it hangs.",
        "Use `Sendrecv`, or `Irecv` before `Send`; run with `buffering=error` in CI to prevent regressions.",
        ("JM304", "JM305"),
    ),
    Entry(
        "JS204",
        _INFO,
        "stall",
        "Ranks have been waiting for some time for ranks that are alive. That is not an error: the notice shows which "
        "ranks wait for which, and where the slow ranks are.",
        "Nothing, if the slow rank is at work. A larger `stall_seconds` delays the notice, `stall_action=exit` ends "
        "the job.",
    ),
    Entry(
        "JS205",
        _WARNING,
        "unreceived-message",
        "Messages were sent and had not been received when the job ended.",
        "Receive them, or do not send them; check the tags of the two sides.",
        ("JM313",),
        kinds=("unreceived",),
    ),
    Entry(
        "JS206",
        _ERROR,
        "message-mismatch",
        "A receive buffer is smaller than the message, or has a different type.",
        "Make count and dtype of both sides equal; use `Probe` and `Get_count` where the size is not known.",
        ("JM205", "JM202", "JM315"),
        kinds=("message",),
    ),
    Entry(
        "JS207",
        _ERROR,
        "communicator-order-mismatch",
        "Ranks enter collectives on two communicators in different orders: each waits for the other.",
        "Use the communicators in the same order on every rank that belongs to both.",
        ("JM801", "JM101", "JM123"),
    ),
    Entry(
        "JS208",
        _ERROR,
        "unreachable-collective",
        "Ranks wait in a collective for a rank that itself waits for one of them in a different call.",
        "Move the message before the collective on both sides, or after it on both sides.",
        ("JM101", "JM102"),
    ),
    Entry(
        "JS301",
        _ERROR,
        "communicator-use-after-free",
        "A communicator was used after this rank had freed it.",
        "Free it after its last use, or keep a duplicate.",
        ("JM413",),
        kinds=("use_after_free",),
    ),
    Entry(
        "JS302",
        _WARNING,
        "communicator-leak",
        "One line of the program created several communicators and freed none of them; MPI supports only a few "
        "thousand. (A single communicator that lives as long as the program is not reported.)",
        "Call `Free()` when a communicator is no longer needed.",
        compiled="Call `MPI_Comm_free` when a communicator is no longer needed.",
        kinds=("leak",),
    ),
    Entry(
        "JS303",
        _WARNING,
        "incomplete-request",
        "A non-blocking call was started and never completed: its buffer must not be accessed, and its data may never "
        "arrive.",
        "Keep the request and call `Wait`, `Waitall` or `Test` until it is complete.",
        ("JM301",),
        kinds=("unfinished",),
    ),
    Entry(
        "JS304",
        _ERROR,
        "refused-call",
        "MPI refused a call (an invalid root, rank, tag, count, communicator or buffer), and this ended the rank: by "
        "the exception of mpi4py, which the program did not handle, or by the error handler `MPI_ERRORS_ARE_FATAL`.",
        "Correct the argument that MPI names, at the line where the rank ended.",
        ("JM119", "JM306", "JM316"),
        kinds=("refused",),
    ),
    Entry(
        "JS401",
        _ERROR,
        "second-mpi-library",
        "Two MPI libraries are in use in one process; neither sees the communication of the other.",
        "Build or install everything against one MPI library; `jaxmpi-sanitize doctor` shows which package uses which.",
        kinds=("second_library",),
    ),
    Entry(
        "JS402",
        _WARNING,
        "mpi4py-mpi4jax-race",
        "A compiled function communicates some time after it was called. The program called MPI directly on the same "
        "communicator while operations of mpi4jax that it had started earlier were still in progress. It is a warning "
        "as long as MPI executed them in program order, and an error if the later call was executed first: messages "
        "or results are then mixed up, usually without any error message.",
        "Before the call of mpi4py, wait with `jax.block_until_ready(result)` or `jax.effects_barrier()`; or use a "
        "separate communicator for each library (`comm.Dup()`).",
        ("JM504",),
        kinds=("unordered",),
    ),
    Entry(
        "JS403",
        _WARNING,
        "repeated-compilation",
        "An operation of mpi4jax that is called outside `jit` is recompiled at every call: each call takes some tens "
        "of milliseconds, and memory that is never released.",
        "Call it inside a function under `jax.jit`, or use mpi4py for it.",
        ("JM515",),
        kinds=("recompiled",),
    ),
    Entry(
        "JS404",
        _ERROR,
        "unsupported-device-pointer",
        "A device pointer is passed to MPI (or will be, because `MPI4JAX_USE_CUDA_MPI` is set), but the MPI library "
        "reports that it does not support device pointers. Without the sanitizer this is a segmentation fault or "
        "wrong data.",
        "Copy to host memory first (mpi4jax does so if `MPI4JAX_USE_CUDA_MPI` is not set), or use an MPI library built "
        "with CUDA.",
        kinds=("device_memory",),
    ),
    *xla_catalogue.TABLE,
)

CODES: dict[str, Entry] = {entry.code: entry for entry in _TABLE}

_FAMILIES = {
    "JS0": "Notes",
    "JS1": "Collective mismatches",
    "JS2": "Deadlocks and messages",
    "JS3": "Requests, handles and arguments",
    "JS4": "Libraries and devices",
    "JS5": "JAX processes",
}

_HEAD = """\
# Codes of the sanitizer

The findings of `JAXMPI_SANITIZE=1`. An error ends the job with exit code 66 (options `on_error` and `exitcode`); a
warning or an info never changes how a program ends. A finding is suppressed by `# jaxmpi-lint: ignore[JS203] reason` on
the line of one of its call sites, or by a line of the file that `suppressions=FILE` names:

```
# code   what                     reason
JS203    file:*/halo.py           messages are never above 1 kB
JS204    function:write_*         slow disk
```

The code `*` matches every code; `file:` and `function:` take patterns with `*` and `?`."""


def page() -> str:
    """The documentation of all codes in Markdown."""
    parts = [_HEAD]
    for family, title in _FAMILIES.items():
        parts.append(f"## {family}xx: {title}")
        parts += [_section(entry) for entry in _TABLE if entry.code.startswith(family)]
    return "\n\n".join(parts) + "\n"


def _section(entry: Entry) -> str:
    rules = ", ".join(f"[{rule}](rules/{rule}.md)" for rule in entry.rules)
    related = f"\n\nRelated lint rules: {rules}." if rules else ""
    return (
        f"### {entry.code} {entry.name}\n\nSeverity: {entry.severity.value}.\n\n{entry.explanation}\n\n"
        f"What to do: {entry.remedy}{related}"
    )


def page_of(code: str) -> str | None:
    """The documentation of one code in Markdown, without its rules; None if there is no such code."""
    entry = CODES.get(code)
    return None if entry is None else _section(replace(entry, rules=())).removeprefix("##") + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page; with ``--check``, report whether it is up to date."""
    parser = argparse.ArgumentParser(prog="python -m jaxmpi_lint.runtime.findings.catalogue", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is stale")
    given = parser.parse_args(arguments)
    if not given.check:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE}: stale; run `python -m jaxmpi_lint.runtime.findings.catalogue`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
