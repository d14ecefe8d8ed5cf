"""The codes for processes of JAX, see `jaxmpi_lint.runtime.catalogue`."""

from __future__ import annotations

from jaxmpi_lint.runtime.entry import Entry, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

TABLE = (
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
        ("JM604", "JM620", "JM601", "JM605", "JM614", "JM615", "JM618", "JM101", "JM104"),
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
    Entry(
        "JS508",
        _WARNING,
        "barriers of different names",
        "Two processes wait at the same time at barriers of different names in JAX's coordination service "
        "(`client.wait_at_barrier`), each in its only thread. Neither can come to the other's barrier: both calls fail "
        "when their time is up. It is told after one to two seconds.",
        "Give the barrier one name in all processes, and let all come to the same barriers in the same order.",
        ("JM601",),
    ),
)
