"""Multi-process JAX on CPU (one device per process): data-parallel fit with a
checkpoint by process 0.  Started by mpirun; MPI only tells who is who."""
import os
import shutil
import socket
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=1"

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils as mhu
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from mpi4py import MPI

from ckpt import restore, save

DIM, PER_PROCESS = 4, 32


def start():
    comm = MPI.COMM_WORLD
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    one_node = comm.allreduce(node.Get_size() == comm.size, op=MPI.LAND)
    node.Free()
    if not one_node:
        raise SystemExit("the coordinator listens on the loopback device: one node only")
    address = None
    if comm.rank == 0:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{s.getsockname()[1]}"
    address = comm.bcast(address, root=0)
    if comm.size > 1:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(address, num_processes=comm.size, process_id=comm.rank)
    assert jax.process_count() == comm.size


def local_data(index):
    rng = np.random.default_rng([17, index])
    x = rng.normal(size=(PER_PROCESS, DIM)).astype(np.float32)
    y = x @ np.array([1.0, -2.0, 0.5, 3.0], dtype=np.float32)
    return x, y + 0.01 * rng.normal(size=PER_PROCESS).astype(np.float32)


@jax.jit
def step(w, x, y):
    def loss_fn(v):
        return jnp.mean((x @ v - y) ** 2)
    loss, grad = jax.value_and_grad(loss_fn)(w)
    return w - 0.1 * grad, loss


def fit(w, x, y, steps):
    loss = None
    for k in range(steps):
        w, loss = step(w, x, y)
        if jax.process_index() == 0 and k % 50 == 0:
            print(f"step {k}")              # no device value touched here
    return w, float(loss)                   # replicated, readable everywhere


def main():
    start()
    me, n = jax.process_index(), jax.process_count()
    mesh = Mesh(np.array(jax.devices()), ("data",))
    rows, everywhere = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())

    x, y = (jax.make_array_from_process_local_data(rows, a) for a in local_data(me))

    # initial weights are drawn by process 0 only
    w0 = np.random.default_rng().normal(size=DIM).astype(np.float32) if me == 0 \
        else np.zeros(DIM, dtype=np.float32)
    w0 = np.asarray(mhu.broadcast_one_to_all(w0))
    w = jax.make_array_from_process_local_data(everywhere, w0)

    folder = tempfile.mkdtemp(prefix="jaxck-") if me == 0 else None
    folder = MPI.COMM_WORLD.bcast(folder, root=0)

    w, first = fit(w, x, y, 150)
    save(folder, np.asarray(w), step=150)
    w1, loss1 = fit(w, x, y, 100)

    restored, at = restore(folder, DIM)
    assert at == 150
    w2, loss2 = fit(jax.make_array_from_process_local_data(everywhere, restored), x, y, 100)
    assert abs(loss1 - loss2) < 1e-6 and np.allclose(w1, w2, atol=1e-6)

    # all processes hold the same weights
    gathered = np.asarray(mhu.process_allgather(np.asarray(w1))).reshape(n, DIM)
    assert np.all(gathered == gathered[0])
    xs, ys = zip(*(local_data(i) for i in range(n)))
    exact, *_ = np.linalg.lstsq(np.concatenate(xs), np.concatenate(ys), rcond=None)
    assert np.abs(gathered[0] - exact).max() < 5e-2

    mhu.sync_global_devices("before clean-up")
    if me == 0:
        shutil.rmtree(folder)
        print(f"{n} processes, loss {first:.5f} -> {loss1:.5f}")
    if n > 1:
        jax.distributed.shutdown()


if __name__ == "__main__":
    main()
