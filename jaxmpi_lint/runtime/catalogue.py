"""Every code of the sanitizer: how bad it is, what it means, what to do, and which lint rules see it beforehand.

The page ``docs/sanitizer-codes.md`` is written from this table: ``python -m jaxmpi_lint.runtime.catalogue [--check]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

PAGE = Path("docs/sanitizer-codes.md")


class Severity(StrEnum):
    """How bad a finding is: only an error ends the job."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"


@dataclass(frozen=True, slots=True)
class Entry:
    """One code. ``rules`` are the lint rules that may explain it, the likeliest first."""

    code: str
    severity: Severity
    title: str
    explanation: str
    remedy: str
    rules: tuple[str, ...] = ()


_ERROR, _WARNING, _INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION
_DIVERGENCE = ("JM101", "JM102", "JM605", "JM801", "JM803")

_TABLE = (
    Entry(
        "JS000",
        _INFORMATION,
        "note",
        "Something that is legal but worth knowing, or something that is no longer checked, and why.",
        "Nothing has to be done.",
    ),
    Entry(
        "JS101",
        _ERROR,
        "different collectives",
        "The n-th collective on a communicator must be the same function on every member. These ranks entered "
        "different ones: their calls would be matched with each other and hang or damage memory.",
        "Find why the ranks took different paths: a branch on the rank, an early exit, a loop with another number of "
        "turns. Make every rank of the communicator call the same collectives in the same order.",
        _DIVERGENCE,
    ),
    Entry(
        "JS102",
        _ERROR,
        "blocking against non-blocking",
        "A blocking collective never matches a non-blocking or persistent one, even of the same name.",
        "Use the same form, `Allreduce` or `Iallreduce` with a wait, on every rank.",
        _DIVERGENCE,
    ),
    Entry(
        "JS103",
        _ERROR,
        "root",
        "All ranks must name the same root. With small messages the call often returns, with wrong data.",
        "Pass the same `root` on every rank; if it is computed, compute it on one rank and broadcast it.",
        ("JM803", "JM801"),
    ),
    Entry(
        "JS104",
        _ERROR,
        "reduction operator",
        "All ranks must pass the same reduction operator. Otherwise the call returns and the result is wrong.",
        "Pass the same `op` on every rank.",
        _DIVERGENCE,
    ),
    Entry(
        "JS105",
        _ERROR,
        "count",
        "The ranks give different amounts of data to one collective. Data are cut off, memory is overwritten, or the "
        "call fails on some ranks only.",
        "Compute the size on one rank and broadcast it, or use the variant with counts (`Allgatherv`, `Gatherv`, "
        "`Scatterv`, `Alltoallv`) where sizes may differ.",
        ("JM205", "JM605"),
    ),
    Entry(
        "JS106",
        _ERROR,
        "datatype",
        "The ranks give elements of different types to one collective; the bytes are reinterpreted without a message.",
        "Use one dtype on every rank (`numpy.asarray(x, dtype=...)` before the call), also where a rank has no data.",
        ("JM205",),
    ),
    Entry(
        "JS107",
        _ERROR,
        "in place",
        "`MPI.IN_PLACE` must be used by all ranks or by none in this collective.",
        "Pass `MPI.IN_PLACE` on every rank, or separate buffers on every rank.",
        ("JM206",),
    ),
    Entry(
        "JS108",
        _ERROR,
        "a rank left before a collective",
        "Ranks wait in a collective for a rank that has returned, raised, exited, or was killed: it will never come.",
        "Look at why that rank left (its traceback is in the report). A rank that may fail must tell the others, "
        "for instance by an `allreduce` of an error flag, or end the job by `comm.Abort()`.",
        ("JM102", "JM101"),
    ),
    Entry(
        "JS109",
        _ERROR,
        "another argument that must agree",
        "An argument that has to be the same on every rank differs, for instance a split type, a file's access mode, "
        "or the method of mpi4py around the call.",
        "Pass the same arguments on every rank.",
        _DIVERGENCE,
    ),
    Entry(
        "JS110",
        _ERROR,
        "part of a collective with counts",
        "What one rank sends to another and what that one expects from it are of different size or type.",
        "What rank A gives as count for B must be what B gives for A; exchange the counts by an `alltoall` first.",
        ("JM205",),
    ),
    Entry(
        "JS111",
        _WARNING,
        "operators created at different places",
        "The ranks reduce with operators of their own that were created on different lines. They may be equal; the "
        "sanitizer cannot know.",
        "Create the operator on one line that every rank runs.",
    ),
    Entry(
        "JS112",
        _ERROR,
        "sequences of collectives diverged",
        "The ranks have entered equally many collectives on a communicator, but not the same ones. The place where "
        "they parted is no longer in the history.",
        "Run with a longer history (`history=65536`), or with `JAXMPI_SANITIZE=strict`, to see the first difference.",
        _DIVERGENCE,
    ),
    Entry(
        "JS201",
        _ERROR,
        "deadlock",
        "Each of these ranks waits for another of them, so none can ever go on.",
        "Break the cycle: let one side receive first, use `Sendrecv`, or post `Irecv` before `Send` and wait after.",
        ("JM301",),
    ),
    Entry(
        "JS202",
        _ERROR,
        "message to or from a rank that left",
        "A rank waits for a message, or for somebody to take its message, and the only ranks that could have gone.",
        "Check source, destination and tag, and how many messages each side expects; see why the other rank left.",
        ("JM101",),
    ),
    Entry(
        "JS203",
        _WARNING,
        "reliance on buffering",
        "The program went on only because MPI stored messages that nobody was receiving yet. With larger messages, or "
        "on another MPI, it hangs.",
        "Use `Sendrecv`, or `Irecv` before `Send`; run with `buffering=error` in CI to keep it out.",
    ),
    Entry(
        "JS204",
        _INFORMATION,
        "stall",
        "Ranks have been waiting for a while for ranks that are alive. That is no error: it shows who waits for whom, "
        "and where the slow ranks are.",
        "If the slow rank is at work, nothing. A larger `stall_seconds` says it later, `stall_action=exit` ends it.",
    ),
    Entry(
        "JS205",
        _WARNING,
        "message never received",
        "Messages were sent that nobody had received when the job ended.",
        "Receive them, or do not send them; check the tags of the two sides.",
    ),
    Entry(
        "JS206",
        _ERROR,
        "message truncated or of another type",
        "A receive has less room than the message has data, or reads it as another type.",
        "Make count and dtype of both sides agree; use `Probe` and `Get_count` where the size is not known.",
        ("JM205",),
    ),
    Entry(
        "JS207",
        _ERROR,
        "communicators in crossed order",
        "Some ranks entered a collective on one communicator first, others on another one: each waits for the other.",
        "Use the communicators in the same order on every rank that belongs to both.",
        ("JM801", "JM101"),
    ),
    Entry(
        "JS208",
        _ERROR,
        "a collective that a waiting rank never reaches",
        "Ranks wait in a collective for a rank that itself waits, elsewhere, for one of them.",
        "Move the message before the collective on both sides, or after it on both sides.",
        ("JM101", "JM102"),
    ),
    Entry(
        "JS301",
        _ERROR,
        "communicator used after free",
        "A communicator was used after this rank had freed it.",
        "Free it after its last use, or keep a duplicate.",
        ("JM413",),
    ),
    Entry(
        "JS302",
        _WARNING,
        "communicators never freed",
        "One line of the program made several communicators and freed none of them; MPI has only a few thousand. (One "
        "that lives as long as the program is not reported.)",
        "Call `Free()` when a communicator is no longer needed.",
    ),
    Entry(
        "JS303",
        _WARNING,
        "request never completed",
        "A non-blocking call was started and never waited for: its buffer may not be touched, its data may never come.",
        "Keep the request and call `Wait`, `Waitall` or `Test` until it is complete.",
        ("JM301",),
    ),
    Entry(
        "JS401",
        _ERROR,
        "second MPI library",
        "Two MPI libraries are in one process; they know nothing of each other.",
        "Build or install everything against one MPI library; `jaxmpi-sanitize doctor` shows who brings which.",
    ),
    Entry(
        "JS402",
        _WARNING,
        "mpi4py and mpi4jax out of order",
        "A compiled function communicates some time after it was called. The program went on and called MPI by itself "
        "on the same communicator while operations of mpi4jax that it had started before were not over. It is a "
        "warning as long as MPI saw them in the order of the program, and an error where the later call came first: "
        "messages or results are then mixed up, mostly without a word.",
        "Wait before the call of mpi4py, by `jax.block_until_ready(result)` or `jax.effects_barrier()`; or give each "
        "library a communicator of its own (`comm.Dup()`).",
        ("JM504",),
    ),
    Entry(
        "JS403",
        _WARNING,
        "operation compiled at every call",
        "An operation of mpi4jax that is called outside `jit` is compiled anew at every call: that takes some tens of "
        "milliseconds each time, and memory that never comes back.",
        "Call it inside a function under `jax.jit`, or use mpi4py for it.",
        ("JM515",),
    ),
    Entry(
        "JS404",
        _ERROR,
        "device memory for a plain MPI",
        "MPI is given a pointer to a GPU's memory (or will be, as `MPI4JAX_USE_CUDA_MPI` tells mpi4jax), but says of "
        "itself that it does not take them. Without the sanitizer this is a segmentation fault or wrong data.",
        "Copy to the host's memory first (unset `MPI4JAX_USE_CUDA_MPI`, and mpi4jax does so), or use an MPI library "
        "built with CUDA.",
    ),
    Entry(
        "JS501",
        _ERROR,
        "launches differ in their collectives",
        "JAX asks that all processes launch the same computations in the same order. Here the same launch on the same "
        "devices holds other collectives on one process than on another: another operation, another reduction, other "
        "shapes or types, another order. Without the sanitizer the arrays of one computation end up in the other, "
        "mostly without a word, or the process aborts in the library that carries the data. The launch is stopped "
        "before it executes; between hosts, a later one of the same executables is reported when it has begun.",
        "Make every process run the same jitted functions in the same order, with arguments of the same shapes: no "
        "iteration over sets, no conditions on `jax.process_index()` or on data that differ between processes.",
        ("JM604", "JM620", "JM605", "JM614", "JM615", "JM618", "JM101", "JM104"),
    ),
    Entry(
        "JS502",
        _WARNING,
        "launches differ in their programs",
        "The same launch exchanges the same data on all processes, but what is computed between the exchanges differs: "
        "another static argument, or a constant that was taken from the process itself. If that is not intended, each "
        "process gets a mixture of several programs.",
        "Give what differs as an array argument if it is meant; else take it from process 0 "
        "(`jax.experimental.multihost_utils.broadcast_one_to_all`).",
    ),
    Entry(
        "JS503",
        _ERROR,
        "process left while others launch",
        "A launch needs all processes whose devices take part. One of them has come to the end of its program, raised "
        "an exception, or died, and has launched less than others. Those wait, without the sanitizer for 300 seconds, "
        "and are then aborted with a message about a barrier. If it is process 0 that died, JAX aborts all others at "
        "once, wherever they are.",
        "Let all processes come to the same launches: the same number of turns of a loop, no launch under a test of "
        "`jax.process_index()`, exceptions on all processes or on none.",
        ("JM604", "JM620", "JM605", "JM601", "JM103", "JM101", "JM104"),
    ),
    Entry(
        "JS504",
        _WARNING,
        "other surroundings",
        "The processes of a JAX job must run the same programs, and what the programs are depends on versions, "
        "settings (64-bit types, precision, random numbers), XLA's flags and devices. They are compared when "
        "`initialize` returns, and at the first launch; a warning, because only a launch shows whether it matters.",
        "Set it in the program, before `jax.distributed.initialize`, or give every process the same environment.",
        ("JM618",),
    ),
    Entry(
        "JS505",
        _ERROR,
        "other data for a function of all processes",
        "`process_allgather` and `broadcast_one_to_all` need arrays of the same shapes and types from every process; "
        "otherwise they hang, abort, or read the bytes of one type as another. It is a warning where only names in "
        "trees differ, and where `make_array_from_process_local_data` infers another global shape in each process.",
        "Pass arrays of one shape and dtype on every process (pad them, and gather the lengths too).",
        ("JM619", "JM605"),
    ),
    Entry(
        "JS506",
        _WARNING,
        "copies that differ",
        "Processes hold copies of one part of a global array, with other contents. JAX takes them for equal: results "
        "depend on which copy it reads. They are compared where a program makes such an array, up to 1 MiB of it.",
        "Seed random numbers alike, or send the data from one process by `multihost_utils.broadcast_one_to_all`.",
        ("JM804", "JM803"),
    ),
    Entry(
        "JS507",
        _ERROR,
        "launch for different items",
        "A loop over a set of texts (or over a list or dictionary made from one) comes to its elements in another "
        "order in each process, because Python salts their hashes anew. Here the same launch takes the array of one "
        "element on one process and that of another element on the other, and their parts are mixed up without a word. "
        "It is told only where the loop's element is the key of the dictionary from which the array comes, and before "
        "the second process begins the launch.",
        "Iterate over `sorted(...)`.",
        ("JM801", "JM614"),
    ),
)

CODES: dict[str, Entry] = {entry.code: entry for entry in _TABLE}

_FAMILIES = {
    "JS0": "Notes",
    "JS1": "Collectives that do not match",
    "JS2": "Deadlock and messages",
    "JS3": "Requests and handles",
    "JS4": "Libraries and devices",
    "JS5": "Processes of JAX",
}

_HEAD = """\
# Codes of the sanitizer

What `JAXMPI_SANITIZE=1` reports. An error ends the job with exit code 66 (`on_error`, `exitcode`); a warning or a piece
of information never changes how a program ends. A finding is silenced by `# jaxmpi-lint: ignore[JS203] reason` on the
line of one of its call sites, or by a line of the file that `suppressions=FILE` names:

```
# code   what                     reason
JS203    file:*/halo.py           messages are never above 1 kB
JS204    function:write_*         slow disk
```

`*` stands for every code; `file:` and `function:` take patterns with `*` and `?`."""


def page() -> str:
    """The documentation of all codes in Markdown."""
    parts = [_HEAD]
    for family, title in _FAMILIES.items():
        parts.append(f"## {family}xx: {title}")
        parts += [_section(entry) for entry in _TABLE if entry.code.startswith(family)]
    return "\n\n".join(parts) + "\n"


def _section(entry: Entry) -> str:
    rules = ", ".join(f"[{rule}](rules/{rule}.md)" for rule in entry.rules)
    seen = f"\n\nLint rules that see it beforehand: {rules}." if rules else ""
    return (
        f"### {entry.code} {entry.title}\n\nSeverity: {entry.severity.value}.\n\n{entry.explanation}\n\n"
        f"What to do: {entry.remedy}{seen}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or with ``--check`` say whether it is up to date."""
    parser = argparse.ArgumentParser(prog="python -m jaxmpi_lint.runtime.catalogue", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page is stale")
    given = parser.parse_args(arguments)
    if not given.check:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE}: stale; run `python -m jaxmpi_lint.runtime.catalogue`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
