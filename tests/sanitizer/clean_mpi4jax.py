"""Correct programs with mpi4jax, the twins of the wrong ones among them."""

from __future__ import annotations

from .mpi4jax_cases import clean as _clean

CORRECT = [
    _clean(
        "every operation, eager and compiled",
        """
        rows = jnp.arange(4.0 * size).reshape(size, 4)

        def everything(x):
            a = mpi4jax.allreduce(x, op=MPI.SUM)
            b = mpi4jax.reduce(a, op=MPI.MAX, root=0)
            c = mpi4jax.bcast(b, 0)
            d = mpi4jax.gather(c, 0)
            e = mpi4jax.allgather(c)
            f = mpi4jax.alltoall(rows)
            g = mpi4jax.scatter(rows if rank == 0 else x, 0)
            h = mpi4jax.scan(g, op=MPI.SUM)
            mpi4jax.barrier()
            if rank % 2 == 0:
                mpi4jax.send(h, right, tag=5)
                i = mpi4jax.recv(h, left)
            else:
                i = mpi4jax.recv(h, left)
                mpi4jax.send(h, right, tag=5)
            return mpi4jax.sendrecv(i, h, left, right), d, e, f

        jax.block_until_ready(everything(ones))
        jax.block_until_ready(jax.jit(everything)(ones))
        """,
        ranks=(2, 4),
    ),
    _clean(
        "loops, scans, branches and derivatives",
        """
        def total(x):
            return mpi4jax.allreduce(x, op=MPI.SUM)

        def step(i, x):
            return jax.lax.cond(i % 2 == 0, total, lambda y: y, x)

        def loss(x):
            carry, _ = jax.lax.scan(lambda c, _: (total(c) / size, None), x, None, length=3)
            return (mpi4jax.sendrecv(carry, carry, left, right) ** 2).sum()

        print(jax.jit(lambda x: jax.lax.fori_loop(0, 5, step, x))(ones))
        print(jax.jit(jax.value_and_grad(loss))(ones), jax.grad(loss)(ones), jax.vmap(total)(jnp.ones((3, 2))))
        print(jax.lax.while_loop(lambda x: total(x)[0] < 100, lambda x: 2 * x, ones))
        """,
        ranks=(2, 3),
    ),
    _clean(
        "shapes that change on all ranks",
        """
        total = jax.jit(lambda x: mpi4jax.allreduce(x, op=MPI.SUM))
        for length in (4, 8, 4, 2, 0):
            print(total(jnp.ones(length)))
        """,
    ),
    _clean(
        "both libraries, after waiting",
        """
        total = jax.jit(lambda x: mpi4jax.allreduce(slowly(x), op=MPI.SUM, comm=comm))
        space = np.empty(4, np.float32)
        total(ones).block_until_ready()
        comm.Allreduce(np.ones(4, np.float32), space)
        total(ones)
        jax.effects_barrier()
        comm.Allreduce(np.ones(4, np.float32), space)
        comm.Allreduce(np.asarray(total(ones)), space)
        comm.allreduce(float(total(ones)[0]))
        later = jnp.sin(total(ones)).sum()
        comm.bcast(later.item(), root=0)
        """,
    ),
    _clean(
        "both libraries, each with its own communicator",
        """
        own = comm.Dup()
        total = jax.jit(lambda x: mpi4jax.allreduce(slowly(x), op=MPI.SUM, comm=own))
        space = np.empty(4, np.float32)
        result = total(ones)
        comm.Allreduce(np.ones(4, np.float32), space)
        result = total(result)
        comm.allreduce(1.0)
        print(result, space)
        """,
    ),
    _clean(
        "both libraries, what cannot meet",
        """
        @jax.jit
        def swap(x):
            return mpi4jax.sendrecv(slowly(x), x, left, right, sendtag=1, recvtag=1, comm=comm)

        space = np.empty(4, np.float32)
        result = swap(ones)
        comm.Allreduce(np.ones(4, np.float32), space)
        comm.Sendrecv(np.ones(4, np.float32), right, 2, space, left, 2)
        print(result, space)
        """,
    ),
    _clean(
        "both libraries in one collective",
        """
        x = jnp.arange(4.0)
        if rank == 0:
            x = mpi4jax.bcast(x, 0, comm=comm)
        else:
            x = np.empty(4, np.float32)
            comm.Bcast(x, root=0)
        print(x)
        """,
    ),
    _clean(
        "a callback that communicates",
        """
        def across(x):
            space = np.empty_like(x)
            comm.Allreduce(np.ascontiguousarray(x), space)
            return space

        @jax.jit
        def step(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
            x = jax.pure_callback(across, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
            return mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)

        print(step(ones))
        """,
    ),
    _clean(
        "communicator freed after the last use",
        """
        for _ in range(3):
            own = comm.Split(0, rank)
            total = jax.jit(lambda x: mpi4jax.allreduce(x, op=MPI.SUM, comm=own))
            total(ones).block_until_ready()
            own.Free()
        """,
    ),
    _clean(
        "a status that tells how much came",
        """
        if rank == 0:
            mpi4jax.send(ones, 1)
        else:
            status = MPI.Status()
            result = mpi4jax.recv(jnp.zeros(8), 0, status=status).block_until_ready()
            print(result[: status.Get_count(MPI.FLOAT)])
        """,
    ),
    _clean(
        "walls",
        """
        down = rank - 1 if rank > 0 else MPI.PROC_NULL
        up = rank + 1 if rank < size - 1 else MPI.PROC_NULL

        @jax.jit
        def halo(x):
            low = mpi4jax.sendrecv(x[1], x[0], down, up)
            return x.at[0].set(low if down != MPI.PROC_NULL else 0)

        print(halo(jnp.ones((3, 4))))
        """,
        ranks=(3,),
    ),
    _clean(
        "derivative of a ring with one tag",
        """
        @jax.jit
        def energy(x):
            return (x * mpi4jax.sendrecv(x, x, left, right, sendtag=4, recvtag=4)).sum()

        print(jax.grad(energy)(ones))
        """,
        ranks=(3,),
    ),
    _clean(
        "receives first on one side",
        """
        @jax.jit
        def swap(x):
            if rank == 0:
                mpi4jax.send(x, 1)
                return mpi4jax.recv(x, 1)
            result = mpi4jax.recv(x, 0)
            mpi4jax.send(x, 0)
            return result

        print(swap(jnp.ones(1_000_000)).sum())
        """,
    ),
    _clean(
        "one line in many compiled functions, and lowered for CUDA",
        """
        sys.modules["mpi4jax._src.xla_bridge"].HAS_CUDA_EXT = True
        sys.modules["mpi4jax._src.decorators"]._cuda_mpi_setup_done = True

        def total(x):
            return mpi4jax.allreduce(x, op=MPI.SUM)

        for factor in range(20):
            result = jax.jit(lambda x: factor * total(x))(ones)
        jax.jit(total).trace(ones).lower(lowering_platforms=("cuda",))
        print(result, total(ones))
        """,
    ),
]
