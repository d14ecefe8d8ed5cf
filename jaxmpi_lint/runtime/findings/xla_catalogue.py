"""The codes for JAX processes, see `jaxmpi_lint.runtime.findings.catalogue`."""

from __future__ import annotations

from jaxmpi_lint.runtime.findings.entry import Entry, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

TABLE = (
    Entry(
        "JS501",
        _ERROR,
        "launch-collective-mismatch",
        "JAX requires all processes to launch the same computations in the same order. Here the same launch on the "
        "same devices contains different collectives on two processes: a different operation, reduction, shape, type "
        "or order. Without the sanitizer the arrays of one computation end up in the other, usually without any error "
        "message, or the process aborts in the transport library. The launch is stopped before it executes; between "
        "hosts, a later launch of the same executables is reported when it has begun.",
        "Make every process run the same jitted functions in the same order, with arguments of the same shapes: no "
        "iteration over sets, no conditions on `jax.process_index()` or on data that differ between processes.",
        ("JM604", "JM620", "JM601", "JM605", "JM614", "JM615", "JM618", "JM101", "JM104"),
    ),
    Entry(
        "JS502",
        _WARNING,
        "launch-program-mismatch",
        "The same launch exchanges the same data on all processes, but the computation between the exchanges differs: "
        "a different static argument, or a constant that depends on the process. If that is not intended, each process "
        "gets a mixture of several programs.",
        "Pass the differing value as an array argument if the difference is intended; otherwise take it from process 0 "
        "(`jax.experimental.multihost_utils.broadcast_one_to_all`).",
    ),
    Entry(
        "JS503",
        _ERROR,
        "exit-before-launch",
        "A launch needs all processes whose devices take part. One of them has reached the end of its program, raised "
        "an exception, or died, and has made fewer launches than the others. These wait, without the sanitizer for 300 "
        "seconds, and are then aborted with a message about a barrier. If process 0 died, JAX aborts all others at "
        "once, wherever they are.",
        "Let all processes make the same launches: the same trip count of a loop, no launch under a test of "
        "`jax.process_index()`, exceptions on all processes or on none.",
        ("JM604", "JM620", "JM605", "JM601", "JM103", "JM101", "JM104"),
    ),
    Entry(
        "JS504",
        _WARNING,
        "environment-mismatch",
        "The processes of a JAX job must run the same programs, and the programs depend on versions, settings (64-bit "
        "types, precision, random numbers), XLA flags and devices. They are compared when `initialize` returns, and at "
        "the first launch. It is a warning, because only a launch shows whether the difference matters.",
        "Set it in the program, before `jax.distributed.initialize`, or give every process the same environment.",
        ("JM618",),
    ),
    Entry(
        "JS505",
        _ERROR,
        "multihost-argument-mismatch",
        "`process_allgather` and `broadcast_one_to_all` need arrays of the same shapes and types from every process; "
        "otherwise they hang, abort, or reinterpret the bytes as a different type. It is a warning where only names in "
        "trees differ, and where `make_array_from_process_local_data` infers different global shapes on different "
        "processes.",
        "Pass arrays of one shape and dtype on every process (pad them, and gather the lengths too).",
        ("JM619", "JM605"),
    ),
    Entry(
        "JS506",
        _WARNING,
        "replica-divergence",
        "Processes hold replicas of one part of a global array with different contents. JAX assumes that they are "
        "equal: results depend on the replica that is read. Replicas are compared where a program creates such an "
        "array, up to 1 MiB of it.",
        "Use the same random seed, or broadcast the data from one process with `multihost_utils.broadcast_one_to_all`.",
        ("JM804", "JM803"),
    ),
    Entry(
        "JS507",
        _ERROR,
        "set-order-launch-mismatch",
        "A loop over a set of strings (or over a list or dictionary made from one) visits its elements in a different "
        "order on each process, because Python randomizes string hashes per process. Here the same launch takes the "
        "arrays of different elements on two processes, and their parts are mixed up silently. Reported only if the "
        "loop's element is the key of the dictionary that holds the array, and only before the second process begins "
        "the launch.",
        "Iterate over `sorted(...)`.",
        ("JM801", "JM614"),
    ),
    Entry(
        "JS508",
        _WARNING,
        "barrier-name-mismatch",
        "Two processes wait at the same time at barriers of different names in JAX's coordination service "
        "(`client.wait_at_barrier`), each in its only thread. Neither can reach the other's barrier: both calls fail "
        "at their timeout. Reported after one to two seconds.",
        "Give the barrier one name on all processes, and make all processes reach the same barriers in the same order.",
        ("JM601", "JM611"),
    ),
    Entry(
        "JS509",
        _ERROR,
        "initialize-mismatch",
        "Processes of one job call `jax.distributed.initialize` with one coordinator address and with arguments that "
        "contradict each other: the same process_id twice, or different values of num_processes. Without the sanitizer "
        "they wait for `initialization_timeout` (300 seconds), or hang at the first use of a device. Only processes of "
        "one host, their first calls, and calls at the same time are compared, so that restarts and retries are no "
        "errors.",
        "Pass the same coordinator address and num_processes in all processes, and a different process_id in each.",
    ),
    Entry(
        "JS510",
        _ERROR,
        "exit-before-initialize",
        "A rank of the launcher ended before it called `jax.distributed.initialize`, or because the call failed, and "
        "the other ranks wait in it. It is an error only if the job uses JAX on all ranks, and if the launcher started "
        "the rank itself and does not start it again; otherwise it is named in JS511.",
        "Call `jax.distributed.initialize` on every rank before anything that can fail or exit.",
    ),
    Entry(
        "JS511",
        _INFO,
        "initialize-waits",
        "Processes have waited for four seconds in `jax.distributed.initialize` for others that have not called it. "
        "The notice names what is known on this host: processes with a different coordinator address, processes that "
        "ended or failed, ranks of the launcher without a call, a port on which no process listens. Without a known "
        "cause it is given after `stall_seconds`. It never ends the job: processes may be slow to start.",
        "Let num_processes processes call `jax.distributed.initialize`, with one coordinator address and the ids from "
        "0 to num_processes - 1.",
    ),
    Entry(
        "JS512",
        _ERROR,
        "collective-in-divergent-branch",
        "A compiled program has a collective in a branch of `lax.cond` or `lax.switch`. Devices that must take part "
        "in it provably take different branches, because the predicate follows from `axis_index` alone. The devices in "
        "the branch wait for the others forever, or exchange data with a different collective. Reported before the "
        "first launch of the program. Predicates from data are never reported; JS204 names them in a stall.",
        "Move the collective out of the branch, and choose the data by `jnp.where` instead; or make the predicate "
        "equal on all devices of the group.",
        ("JM604",),
    ),
)
