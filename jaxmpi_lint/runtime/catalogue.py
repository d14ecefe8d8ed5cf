"""Every code of the sanitizer: how bad it is, what it means, what to do, and which lint rules see it beforehand.

The page ``docs/sanitizer-codes.md`` is written from this table: ``python -m jaxmpi_lint.runtime.catalogue [--check]``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jaxmpi_lint.runtime.entry import Entry, Severity
from jaxmpi_lint.runtime.xla import catalogue as xla

PAGE = Path("docs/sanitizer-codes.md")


_ERROR, _WARNING, _INFORMATION = Severity.ERROR, Severity.WARNING, Severity.INFORMATION
_DIVERGENCE = ("JM101", "JM102", "JM605", "JM801", "JM803")
_SKIPPED = tuple(f"JM{number}" for number in range(104, 115))

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
        (*_DIVERGENCE, *_SKIPPED, "JM804"),
    ),
    Entry(
        "JS102",
        _ERROR,
        "blocking against non-blocking",
        "A blocking collective never matches a non-blocking or persistent one, even of the same name.",
        "Use the same form, `Allreduce` or `Iallreduce` with a wait, on every rank.",
        (*_DIVERGENCE, "JM104"),
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
    *xla.TABLE,
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
