"""Correct programs of several kinds are left alone."""

from __future__ import annotations

import pytest

from .jobs import PRELUDE, run

pytestmark = [pytest.mark.runs_jax, pytest.mark.soak]

PROGRAMS = {
    "some go on among themselves": (4, """\
pair = jax.sharding.Mesh(np.array(jax.devices()[:2]), ("x",))
x = spread(np.arange(4.0) + rank)
print(float(x.sum()), flush=True)
if rank < 2:
    local = jax.device_put(np.arange(2.0), jax.local_devices()[0])
    mine = jax.make_array_from_single_device_arrays((4,), NamedSharding(pair, P("x")), [local])
    total = jax.jit(lambda x: x.sum())
    for _ in range(200):
        y = total(mine)
    import time
    time.sleep(1.5)
    print(float(total(mine)), flush=True)
"""),
    "groups within processes": (2, """\
jax.config.update("jax_num_cpu_devices", 2)
devices = np.array(jax.devices()).reshape(size, 2)
mesh = jax.sharding.Mesh(devices, ("process", "local"))
both = NamedSharding(mesh, P(("process", "local")))
shards = [jax.device_put(np.arange(2.0) + rank, device) for device in jax.local_devices()]
x = jax.make_array_from_single_device_arrays((4 * size,), both, shards)
local = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "local"), mesh=mesh, in_specs=P(("process", "local")),
                              out_specs=P("process")))
for _ in range(3 + rank):
    y = local(x)
print([float(one.data[0]) for one in y.addressable_shards], float(x.sum()), flush=True)
"""),
    "leaves by sys.exit": (2, """\
import sys
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
sys.exit(0)
"""),
    "host work after the last launch": (2, """\
import time
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
time.sleep(3 * rank)
"""),
    "shutdown by hand": (2, """\
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
jax.distributed.shutdown()
"""),
    "threads that take turns": (2, """\
import threading
x = spread(np.arange(4.0))
total = jax.jit(lambda x: x.sum())
for _ in range(5):
    thread = threading.Thread(target=lambda: print(float(total(x)), flush=True))
    thread.start()
    thread.join()
"""),
    "a child process": (2, """\
import subprocess, sys
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
subprocess.run([sys.executable, "-c", "import jax; jax.numpy.ones(3).sum()"], check=True)
print(float(x.sum()), flush=True)
"""),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_said(name: str) -> None:
    processes, program = PROGRAMS[name]
    beginning = 'rank, size = int(os.environ["PROCESS"]), int(os.environ["PROCESSES"])\n'
    prelude = PRELUDE
    if program.startswith("jax.config"):
        first, program = program.split("\n", 1)
        prelude = PRELUDE.replace(beginning, f"{first}\n{beginning}")
    result = run(program, processes, prelude=prelude, seconds=90)
    assert set(result.statuses) == {0}, result
    assert result.findings == (), result
    assert len(result.said) == 1, result
    assert not result.left, result
