"""What the library tables say about JAX, orbax, flax and the functions that trace functions."""

from __future__ import annotations

import pytest

from jaxmpi_lint.library.catalogue import Catalogue
from jaxmpi_lint.library.model import Kind, Operation, Result, Tracing

ANY = Catalogue()


def only(dotted: str) -> Operation:
    (operation,) = ANY.function(dotted)
    return operation


# --- JAX and its ecosystem ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "result"),
    [
        ("jax.process_index", Kind.QUERY, Result.RANK),
        ("jax.host_id", Kind.QUERY, Result.RANK),
        ("jax.process_count", Kind.QUERY, Result.SIZE),
        ("jax.devices", Kind.BACKEND, Result.SAME),
        ("jax.local_devices", Kind.BACKEND, Result.OWN),
        ("jax.distributed.initialize", Kind.INITIALIZE, Result.NONE),
        ("jax.distributed.shutdown", Kind.FINALIZE, Result.NONE),
        ("jax.experimental.multihost_utils.sync_global_devices", Kind.COLLECTIVE, Result.NONE),
        ("jax.experimental.multihost_utils.process_allgather", Kind.COLLECTIVE, Result.SAME),
        ("jax.make_array_from_process_local_data", Kind.BACKEND, Result.GLOBAL_ARRAY),
        ("jax.lax.psum", Kind.AXIS_COLLECTIVE, Result.SAME),
        ("jax.lax.ppermute", Kind.AXIS_COLLECTIVE, Result.OWN),
        ("jax.lax.axis_index", Kind.QUERY, Result.RANK),
        ("jax.effects_barrier", Kind.BARRIER_EFFECTS, Result.NONE),
        ("orbax.checkpoint.CheckpointManager.save", Kind.COLLECTIVE, Result.SAME),
        ("orbax.checkpoint.utils.sync_global_devices", Kind.COLLECTIVE, Result.NONE),
        ("orbax.checkpoint.multihost.process_index", Kind.QUERY, Result.RANK),
        ("flax.training.checkpoints.save_checkpoint_multiprocess", Kind.COLLECTIVE, Result.SAME),
        ("flax.training.checkpoints.save_checkpoint", Kind.LOCAL, Result.UNKNOWN),
    ],
)
def test_calls_of_jax_orbax_and_flax(name: str, kind: Kind, result: Result) -> None:
    operation = only(name)
    assert (operation.kind, operation.result) == (kind, result)


def test_collectives_over_axes_name_their_axis() -> None:
    assert only("jax.lax.psum").axis == "axis_name"
    assert only("jax.lax.psum").position("axis_name") == 1
    assert not only("jax.lax.psum").communicates


@pytest.mark.parametrize(
    "name",
    ["jax.devices", "jax.process_index", "jax.device_put", "jax.numpy.zeros", "jax.numpy.linalg.norm", "jax.random.key",
     "jax.nn.relu", "jax.experimental.multihost_utils.sync_global_devices"],
)  # fmt: skip
def test_what_starts_the_backend(name: str) -> None:
    assert ANY.starts_backend(name)


@pytest.mark.parametrize(
    "name",
    ["jax.jit", "jax.numpy.dtype", "jax.nn.initializers.normal", "jax.config.update", "jax.distributed.is_initialized",
     "jax.tree.map", "jax.lax.Precision", "numpy.zeros"],
)  # fmt: skip
def test_what_leaves_the_backend_alone(name: str) -> None:
    assert not ANY.starts_backend(name)


# --- transforms ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "tracing", "functions"),
    [
        ("jax.jit", Tracing.STAGE, (("fun", 0),)),
        ("jax.experimental.pjit.pjit", Tracing.STAGE, (("fun", 0),)),
        ("jax.shard_map", Tracing.STAGE, (("f", 0),)),
        ("jax.experimental.shard_map.shard_map", Tracing.STAGE, (("f", 0),)),
        ("jax.remat", Tracing.TRANSFORM, (("fun", 0),)),
        ("jax.custom_vjp.defvjp", Tracing.TRANSFORM, (("fwd", 0), ("bwd", 1))),
        ("jax.lax.while_loop", Tracing.LOOP, (("cond_fun", 0), ("body_fun", 1))),
        ("jax.lax.fori_loop", Tracing.LOOP, (("body_fun", 2),)),
        ("jax.lax.cond", Tracing.BRANCH, (("true_fun", 1), ("false_fun", 2))),
        ("jax.lax.switch", Tracing.BRANCH, (("branches", 1),)),
        ("jax.pure_callback", Tracing.ESCAPE, (("callback", 0),)),
        ("jax.experimental.io_callback", Tracing.ESCAPE, (("callback", 0),)),
        ("equinox.filter_jit", Tracing.STAGE, (("fun", 0),)),
        ("flax.linen.scan", Tracing.LOOP, (("target", 0),)),
        ("flax.nnx.jit", Tracing.STAGE, (("fun", 0),)),
        ("haiku.transform", Tracing.TRANSFORM, (("f", 0),)),
    ],
)
def test_transforms(name: str, tracing: Tracing, functions: tuple[tuple[str, int], ...]) -> None:
    transform = ANY.transform(name)
    assert transform is not None
    assert (transform.tracing, transform.functions) == (tracing, functions)


def test_static_arguments_and_axes() -> None:
    jit, pmap = ANY.transform("jax.jit"), ANY.transform("jax.pmap")
    assert jit is not None
    assert pmap is not None
    assert jit.static == ("static_argnums", "static_argnames")
    assert (pmap.static, pmap.axes) == (("static_broadcasted_argnums",), ("axis_name",))
