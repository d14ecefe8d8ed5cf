"""Operations keep the order of the program, and a repeated call compiles nothing."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import checking
import jax
import jax.numpy as jnp
import numpy as np
from checking import RANK, SIZE, WORLD
from mpi4py import MPI

import jaxmpi_lint.runtime.collectives as core

COMPILED: list[str] = []
OTHER = (RANK + 1) % 2


def count(event: str, *_: Any, **__: Any) -> None:
    if "backend_compile" in event:
        COMPILED.append(event)


jax.monitoring.register_event_duration_secs_listener(count)


def check_repeated_calls_compile_once() -> None:
    x, largest = jnp.arange(4.0), SIZE - 1

    def calls() -> None:
        core.allreduce(x, MPI.SUM)
        core.allreduce(x, MPI.MAX, comm=WORLD)
        core.reduce(x, MPI.SUM, largest)
        core.scan(x, MPI.SUM)
        core.bcast(x, np.int64(largest))
        core.allgather(x)
        core.gather(x, 0)
        core.alltoall(given)
        core.scatter(given if RANK == 0 else x[0], 0)
        core.barrier()
        core.sendrecv(x, x, (RANK - 1) % SIZE, (RANK + 1) % SIZE, status=MPI.Status())
        core.send(x, MPI.PROC_NULL)
        core.recv(x, MPI.PROC_NULL, status=MPI.Status())

    given = jnp.arange(float(SIZE))
    before_any = len(COMPILED)
    calls()
    assert len(COMPILED) > before_any, "the listener hears nothing"
    before = len(COMPILED)
    for _ in range(100):
        calls()
    assert len(COMPILED) == before


def check_one_communicator_has_one_number() -> None:
    """Whichever Python object the program reaches it through."""
    x = jnp.ones(2)
    core.allreduce(x, MPI.SUM, comm=WORLD)
    before = len(COMPILED)
    core.allreduce(x, MPI.SUM, comm=MPI.Intracomm(WORLD))
    assert len(COMPILED) == before


def exchange(x: jax.Array) -> jax.Array:
    """Right only in this order: the first rank sends, then receives."""
    if RANK == 0:
        core.send(x, 1)
        return core.recv(x, 1)
    received = core.recv(x, 0)
    core.send(received + 1, 0)
    return received


def check_order_in_compiled_functions() -> None:
    if RANK > 1 or SIZE == 1:
        return
    x = jnp.arange(3.0)
    big = jnp.zeros(1 << 20)
    wanted = 1.0 - RANK
    np.testing.assert_array_equal(jax.jit(exchange)(x), x + wanted)
    np.testing.assert_array_equal(jax.jit(exchange)(big), big + wanted)

    def many(x: jax.Array) -> list[jax.Array]:
        if RANK == 0:
            for number in range(20):
                core.send(x + number, 1)
            return []
        return [core.recv(x, 0) for _ in range(20)]

    for number, received in enumerate(jax.jit(many)(x)):
        np.testing.assert_array_equal(received, x + number)


def check_order_in_loops() -> None:
    if RANK > 1 or SIZE == 1:
        return
    x = jnp.zeros(3)

    def step(_: Any, state: jax.Array) -> jax.Array:
        return exchange(state)

    np.testing.assert_array_equal(jax.lax.fori_loop(0, 5, step, x), x + 5 - RANK)
    np.testing.assert_array_equal(jax.jit(lambda x: jax.lax.fori_loop(0, 5, step, x))(x), x + 5 - RANK)

    def scanned(state: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
        after = exchange(state)
        return after, after[0]

    last, each = jax.jit(lambda x: jax.lax.scan(scanned, x, None, 5))(x)
    np.testing.assert_array_equal(last, x + 5 - RANK)
    np.testing.assert_array_equal(each, np.arange(5) + 1 - RANK)


def check_while_and_cond() -> None:
    def go_on(state: jax.Array) -> jax.Array:
        return core.allreduce(state.sum(), MPI.MAX) < 100.0

    def step(state: jax.Array) -> jax.Array:
        return jax.lax.cond(
            core.allreduce(state.sum(), MPI.SUM) > 20.0,
            lambda s: core.allreduce(s, MPI.SUM) * 2,
            lambda s: core.bcast(s, 0) + 1,
            state,
        )

    def plain(x: np.ndarray) -> np.ndarray:
        state = [x + rank for rank in range(SIZE)]
        while max(s.sum() for s in state) < 100:
            together = sum(s.sum() for s in state) > 20
            state = [sum(state) * 2 if together else state[0] + 1 for _ in state]
        return state[RANK]

    x = jnp.ones(3)
    result = jax.jit(lambda x: jax.lax.while_loop(go_on, step, x))(x + RANK)
    np.testing.assert_array_equal(result, plain(np.ones(3)))


def check_order_with_calls_of_mpi4py() -> None:
    """A call returns when its communication is done, so that mpi4py's later messages cannot overtake."""
    if RANK > 1 or SIZE == 1:
        return
    big = jnp.full(1 << 16, 7.0, jnp.float32)
    if RANK == 0:
        jax.jit(lambda x: core.send(x + 0, 1, comm=WORLD))(big)
        WORLD.Send(np.full(1 << 16, 5.0, np.float32), dest=1)
        return
    np.testing.assert_array_equal(core.recv(big, 0, comm=WORLD), big)
    buffer = np.zeros(1 << 16, np.float32)
    WORLD.Recv(buffer, source=0)
    np.testing.assert_array_equal(buffer, np.full(1 << 16, 5.0))


def check_unused_results_are_not_dropped() -> None:
    @jax.jit
    def function(x: jax.Array) -> jax.Array:
        core.allreduce(x, MPI.SUM)
        core.barrier()
        return x

    assert function.lower(jnp.ones(3)).compile().as_text().count("custom-call(") == 2
    function(jnp.ones(3))


def check_devices() -> None:
    """Any one device of a process; not several at once, between which there would be no order."""
    x = jnp.ones(3)
    for device in [*jax.devices(), *jax.devices()]:
        result = core.allreduce(jax.device_put(x, device), MPI.SUM)
        assert result.devices() == {device}
        np.testing.assert_array_equal(result, x * SIZE)
    shard_map = getattr(jax, "shard_map", None) or import_module("jax.experimental.shard_map").shard_map
    for devices in (jax.devices()[:1], jax.devices()):
        mesh = jax.sharding.Mesh(np.array(devices), "i")
        spec = jax.sharding.PartitionSpec("i")
        function = jax.jit(shard_map(lambda x: core.allreduce(x, MPI.SUM), mesh=mesh, in_specs=spec, out_specs=spec))
        if len(devices) == 1:
            np.testing.assert_array_equal(function(jnp.ones(4)), np.full(4, SIZE))
            continue
        try:
            function(jnp.ones(4))
        except ValueError as error:
            assert "communication by MPI" in str(error)
        else:
            raise AssertionError("operations of several devices have no order")


def check_other_effects() -> None:
    @jax.jit
    def function(x: jax.Array) -> jax.Array:
        jax.debug.callback(lambda value: seen.append(("before", float(value))), x[0], ordered=True)
        result = core.allreduce(x, MPI.SUM)
        jax.debug.callback(lambda value: seen.append(("after", float(value))), result[0], ordered=True)
        return result

    seen: list[tuple[str, float]] = []
    for _ in range(3):
        function(jnp.ones(3))
    jax.effects_barrier()
    assert seen == [("before", 1.0), ("after", float(SIZE))] * 3


def check_donated_arguments() -> None:
    function = jax.jit(lambda x: core.allreduce(x, MPI.SUM), donate_argnums=0)
    for _ in range(3):
        np.testing.assert_array_equal(function(jnp.ones(3)), np.full(3, SIZE))


def check_other_threads() -> None:
    import threading

    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(core.allreduce(jnp.ones(3), MPI.SUM)))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(results[0], np.full(3, SIZE))


checking.run(globals())
