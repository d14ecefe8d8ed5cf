"""Every launch of an executable that brings processes together is recorded once, however it is launched."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from prepare import OLDER_JAX

from .jobs import older_jax, run

pytestmark = pytest.mark.runs_jax

WAYS = """\
from jaxmpi_lint.runtime._native import launches_recorded
x = spread(np.arange(4.0) + rank)
square = jax.device_put(np.ones((4, 4)), NamedSharding(mesh, P(None, "x")))
key = jax.random.key(0)
add = jax.shard_map(lambda x: jax.lax.psum(x, "x"), mesh=mesh, in_specs=P("x"), out_specs=P(), check_vma=False)
total = jax.jit(lambda x: x.sum())
scaled = jax.jit(lambda factor, x: (factor * x).sum())
loop = mapped(lambda x: jax.lax.while_loop(
    lambda s: s[0] < 3, lambda s: (s[0] + 1, jax.lax.psum(s[1], "x") / 2), (0, x))[1], P("x"))
def with_callback(x):
    y = x.sum()
    jax.debug.callback(lambda value: None, y)
    return y
called = jax.jit(with_callback)
ahead = total.lower(x).compile()
shared = jax.jit(lambda x: x, out_shardings=whole)
noisy = jax.jit(lambda key, x: (x + jax.random.uniform(key)).sum())
alone = jax.jit(lambda: jax.lax.with_sharding_constraint(jax.numpy.ones(4), split).sum(), out_shardings=whole)
product = jax.jit(lambda a, b: a.T @ b, out_shardings=whole)
pmapped = jax.pmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")
local = jax.jit(lambda x: x + 1)
slope = jax.jit(jax.grad(lambda x: (x**2).sum()))
two = jax.jit(lambda x, y: (x * y).sum())
placed = jax.jit(lambda x, y: (x * y).sum(), in_shardings=(split, whole))
powered = jax.jit(lambda x, n: (x**n).sum(), static_argnums=1)
donating = jax.jit(lambda x, y: x + 0 * y * x.sum(), donate_argnums=0, out_shardings=split)
trained = jax.jit(jax.value_and_grad(lambda w, x: (w.sum() * x).sum()))
scalar, here = jax.numpy.float32(2), jax.numpy.ones(4 * size)
weights = jax.device_put(np.ones(4), whole)
kept = {"x": spread(np.arange(4.0)), "turn": 0}
def donated():
    kept["x"] = donating(kept["x"], scalar)
    return kept["x"]
def in_turn():
    kept["turn"] += 1
    return two(x, jax.numpy.float32(2) if kept["turn"] % 2 else np.float32(2))
ways = {
    "jit": lambda: total(x),
    "jit with a keyword": lambda: scaled(factor=2.0, x=x),
    "numpy first": lambda: scaled(np.float32(2), x),
    "number first": lambda: scaled(2.0, x),
    "numpy last": lambda: two(x, np.ones(4 * size)),
    "number last": lambda: two(x, 2.0),
    "scalar of one device last": lambda: two(x, scalar),
    "array of one device first": lambda: two(here, x),
    "array of one device last": lambda: two(x, here),
    "arrays and numpy in turn": in_turn,
    "placed by the call": lambda: placed(x, np.ones(4 * size)),
    "static argument": lambda: powered(x, 3),
    "donated": donated,
    "value and gradient": lambda: trained(weights, x),
    "no argument": lambda: alone(),
    "key first": lambda: noisy(key, x),
    "compiled ahead": lambda: ahead(x),
    "eager shard_map": lambda: add(x),
    "jitted shard_map": lambda: jitted(x),
    "eager sum": lambda: x.sum(),
    "float": lambda: float(x.sum()),
    "matrix product": lambda: product(square, square),
    "loop": lambda: loop(x),
    "callback": lambda: called(x),
    "resharding": lambda: shared(x),
    "pmap": lambda: pmapped(np.ones((1, 3))),
    "device_put of numpy": lambda: jax.device_put(np.ones(4), whole),
    "device_put of an array": lambda: jax.device_put(x, whole),
    "process_allgather": lambda: multihost_utils.process_allgather(np.ones(3)),
    "broadcast_one_to_all": lambda: multihost_utils.broadcast_one_to_all(np.ones(3)),
    "sync_global_devices": lambda: multihost_utils.sync_global_devices("here"),
    "no collective": lambda: local(x),
    "gradient without collectives": lambda: slope(x),
    "local array": lambda: jax.make_array_from_process_local_data(split, np.arange(4.0)),
}
jitted = jax.jit(add)
silent = {"no collective", "gradient without collectives", "local array"}
for name, way in ways.items():
    jax.block_until_ready(way())
    before = launches_recorded()
    for _ in range(TIMES):
        jax.block_until_ready(way())
    seen = launches_recorded() - before
    assert seen == (0 if name in silent else TIMES), (name, seen)
print("counted with jax", jax.__version__, flush=True)
"""


def counts(times: int, seconds: float, own: Mapping[str, str] | None = None, version: str = "") -> None:
    result = run(f"TIMES = {times}\n{WAYS}", seconds=seconds, each=[own or {}] * 2)
    assert result.statuses == (0, 0), result
    assert all(f"counted with jax {version}" in text for text in result.out), result
    assert result.findings == (), result
    assert len(result.said) == 1, result


def test_every_launch_is_recorded_once() -> None:
    counts(20, 90)


def test_every_launch_is_recorded_once_with_an_older_jax() -> None:
    counts(20, 90, older_jax(), OLDER_JAX)


@pytest.mark.soak
def test_fifteen_thousand_launches() -> None:
    counts(485, 400)  # 31 ways
