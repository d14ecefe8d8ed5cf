"""Wrong programs with mpi4jax, by the numbers that `benchmarks/mpi4jax_misuse.py` prints."""

from __future__ import annotations

from .cases import ended_with
from .mpi4jax_cases import fault as _fault

MISUSE = [
    _fault(
        "2 messages of both libraries",
        """
        @jax.jit
        def give(x):
            mpi4jax.send(slowly(x), 1, comm=comm)  #@ rank 0: JS402
            return x

        if rank == 0:
            given = give(7 * ones)
            comm.Send(np.full(4, 5, np.float32), dest=1)  #@ rank 0: JS402
        else:
            first = mpi4jax.recv(ones, 0, comm=comm).block_until_ready()
            second = np.empty(4, np.float32)
            comm.Recv(second, source=0)
            print(first, second)
        """,
        alone="ends",
    ),
    _fault(
        "2c collectives of both libraries",
        """
        @jax.jit
        def total(x):
            return mpi4jax.allreduce(slowly(x) if rank == 0 else x, op=MPI.SUM, comm=comm)  #@ rank 0: JS402

        result = total(ones)
        space = np.empty(4, np.float32)
        comm.Allreduce(np.full(4, 100, np.float32), space)  #@ rank 0: JS402
        print(result, space)
        """,
        alone="ends hangs",
    ),
    _fault(
        "2 messages of both libraries, received",
        """
        @jax.jit
        def take(x):
            mpi4jax.allreduce(slowly(x), op=MPI.SUM, comm=MPI.COMM_SELF)
            return mpi4jax.recv(x, 0, tag=3, comm=comm)  #@ rank 1: JS402

        if rank == 0:
            comm.Send(np.full(4, 7, np.float32), dest=1, tag=3)
            comm.Send(np.full(4, 5, np.float32), dest=1, tag=3)
        else:
            first, second = take(ones), np.empty(4, np.float32)
            comm.Recv(second, source=0, tag=3)  #@ rank 1: JS402
            print(first, second)
        """,
        alone="ends",
    ),
    _fault(
        "2b method of mpi4py that pickles",
        """
        @jax.jit
        def total(x):
            return mpi4jax.allreduce(slowly(x), op=MPI.SUM, comm=comm)  #@ rank 1: JS402

        comm.allreduce(1.0)
        result = total(ones)
        if rank == 0:
            result.block_until_ready()
        other = comm.allreduce(100.0)  #@ rank 1: JS402
        print(result, other)
        """,
        alone="ends",
        status=0,
    ),
    _fault(
        "2b method of mpi4py that pickles, for the first time",
        """
        @jax.jit
        def total(x):
            return mpi4jax.allreduce(slowly(x), op=MPI.SUM, comm=comm)  #@ rank 1: JS402

        result = total(ones)
        if rank == 0:
            result.block_until_ready()
        other = comm.allreduce(100.0)  #@ rank 1: JS402
        print(result, other)
        """,
        alone={"openmpi": "ends", "mpich": "fails"},
        codes=("JS101", "JS109"),
        in_part=("JS101",),  # it names the calls that meet, JS402 both calls of rank 1
    ),
    _fault(
        "2b broadcast that pickles",
        """
        @jax.jit
        def total(x):
            return mpi4jax.bcast(slowly(x), 0, comm=comm)  #@ rank 1: JS402

        result = total(ones)
        if rank == 0:
            result.block_until_ready()
        other = comm.bcast(100.0, root=0)  #@ rank 1: JS402
        print(result, other)
        """,
        alone="fails",
        codes=("JS101",),
        in_part=("JS101",),  # it names the calls that meet, JS402 both calls of rank 1
    ),
    _fault(
        "3 operation in a branch on the rank",
        """
        @jax.jit
        def step(x):
            if rank == 0:
                x = mpi4jax.allreduce(x, op=MPI.SUM)  #@ rank 0: JS108
            return x

        step(ones)
        print("done")
        """,
        alone="hangs",
    ),
    _fault(
        "3b cond on data that differ",
        """
        @jax.jit
        def step(x):
            return jax.lax.cond(
                x[0] > 0,
                lambda y: mpi4jax.allreduce(y, op=MPI.SUM),  #@ all: JS108
                lambda y: y,
                x,
            )

        print(step(ones if rank == 0 else -ones))
        """,
        alone="hangs",
    ),
    _fault(
        "4 shapes",
        """
        x = jnp.ones(4 + 4 * rank)
        print(mpi4jax.allreduce(x, op=MPI.SUM))  #@ all: JS105
        """,
        alone="fails",
    ),
    _fault(
        "4b shapes far apart",
        """
        x = jnp.ones((4, 100_000)[rank])
        print(jax.jit(lambda y: mpi4jax.allreduce(y, op=MPI.SUM))(x))  #@ all: JS105
        """,
        # Open MPI writes past the shorter array; whether the process still ends after that is chance.
        alone={"openmpi": "fails hangs", "mpich": "fails"},
    ),
    _fault(
        "5 dtypes of one width",
        """
        x = jnp.ones(4, (jnp.float32, jnp.int32)[rank])
        print(mpi4jax.allreduce(x, op=MPI.SUM))  #@ all: JS106
        """,
        alone="ends",
    ),
    _fault(
        "5b 64 bits on one rank",
        """
        jax.config.update("jax_enable_x64", rank == 1)
        x = jnp.ones(4)
        print(mpi4jax.allreduce(x, op=MPI.SUM))  #@ all: JS106
        """,
        alone="fails",
    ),
    _fault(
        "6 order of two reductions",
        """
        @jax.jit
        def both(x):
            if rank == 0:
                a = mpi4jax.allreduce(x, op=MPI.SUM)  #@ rank 0: JS104
                b = mpi4jax.allreduce(x, op=MPI.MAX)
            else:
                b = mpi4jax.allreduce(x, op=MPI.MAX)  #@ rank 1: JS104
                a = mpi4jax.allreduce(x, op=MPI.SUM)
            return a, b

        print(both((rank + 1) * ones))
        """,
        alone="ends",
    ),
    _fault(
        "6b order of two kinds",
        """
        @jax.jit
        def both(x):
            if rank == 0:
                x = mpi4jax.allreduce(x, op=MPI.SUM)  #@ rank 0: JS101
                return mpi4jax.bcast(x, 0)
            x = mpi4jax.bcast(x, 0)  #@ rank 1: JS101
            return mpi4jax.allreduce(x, op=MPI.SUM)

        print(both(jnp.ones(100_000)))
        """,
        alone="hangs",
    ),
    _fault(
        "7 send first on both, large",
        """
        @jax.jit
        def swap(x):
            mpi4jax.send(x, right)  #@ all: JS201
            return mpi4jax.recv(x, left)

        print(swap(jnp.ones(1_000_000)).sum())
        """,
        alone="hangs",
    ),
    _fault(
        "7 send first on both, small",
        """
        @jax.jit
        def swap(x):
            mpi4jax.send(x, right)  #@ all: JS203
            return mpi4jax.recv(x, left)

        print(swap(ones).sum())
        """,
        alone="ends",
        status=0,
    ),
    _fault(
        "8 template shorter than the message",
        """
        if rank == 0:
            mpi4jax.send(jnp.arange(8.0), 1)  #@ rank 0: JS206
        else:
            print(mpi4jax.recv(ones, 0))  #@ rank 1: JS206
        """,
        alone="fails",
    ),
    _fault(
        "8b template longer than the message",
        """
        if rank == 0:
            mpi4jax.send(ones, 1)  #@ rank 0: JS206
        else:
            print(mpi4jax.recv(jnp.zeros(8), 0))  #@ rank 1: JS206
        """,
        alone="ends",
    ),
    _fault(
        "8b template of sendrecv longer than the message",
        """
        template = jnp.zeros(4 if rank == 0 else 8)
        print(mpi4jax.sendrecv(ones, template, left, right))  #@ all: JS206
        """,
        alone="ends",
    ),
    _fault(
        "9 every rank its own root, small",
        """
        print(mpi4jax.bcast((rank + 1) * ones, rank))  #@ all: JS103
        """,
        alone="ends hangs",
    ),
    _fault(
        "9 every rank its own root, large",
        """
        print(mpi4jax.bcast(jnp.ones(1_000_000), rank).sum())  #@ all: JS103
        """,
        alone="hangs ends",
    ),
    _fault(
        "10 one rank never comes",
        """
        if rank == 0:
            print(mpi4jax.allreduce(ones, op=MPI.SUM, comm=comm))  #@ rank 0: JS108
        """,
        alone="hangs",
    ),
    _fault(
        "11 exception on one rank",
        """
        if rank == 1:
            raise ValueError("on purpose")  #@ rank 1: JS108
        print(mpi4jax.allreduce(ones, op=MPI.SUM, comm=comm))  #@ rank 0: JS108
        """,
        alone="hangs",
        launcher=ended_with(1, 1),
    ),
    _fault(
        "15 default communicator on a part of the ranks",
        """
        if rank == 0:
            mpi4jax.send(ones, 1)  #@ rank 0: JS108
        elif rank == 1:
            print(mpi4jax.recv(ones, 0))  #@ rank 1: JS108
        """,
        alone="hangs",
        ranks=(3,),
    ),
    _fault(
        "16 communicator freed under a compiled function",
        """
        own = comm.Dup()

        @jax.jit
        def total(x):
            return mpi4jax.allreduce(x, op=MPI.SUM, comm=own)  #@ rank 1: JS301

        total(ones).block_until_ready()
        own.Free()
        if rank == 1:
            print(total(ones))
        """,
        alone={"openmpi": "fails", "mpich": "ends"},
    ),
    _fault(
        "16 communicator freed and another made in its place",
        """
        own = comm.Dup()

        @jax.jit
        def total(x):
            return mpi4jax.allreduce(x, op=MPI.SUM, comm=own)  #@ rank 1: JS301

        total(ones).block_until_ready()
        own.Free()
        others = [comm.Split(rank, 0) for _ in range(4)]
        if rank == 1:
            print(total(ones))
        """,
        alone="ends",
    ),
    _fault(
        "17 host call in a traced function",
        """
        @jax.jit
        def mean(x):
            rows = comm.allreduce(x.shape[0])  #@ rank 1: JS207
            return mpi4jax.allreduce(x.sum(), op=MPI.SUM) / rows  #@ rank 0: JS207

        mean(ones).block_until_ready()
        mean(jnp.ones(8) if rank == 1 else ones).block_until_ready()
        """,
        alone="hangs",
    ),
    _fault(
        "18 template of another type",
        """
        x = jnp.ones(4, (jnp.float32, jnp.int32)[rank])
        print(mpi4jax.sendrecv(x, x, left, right))  #@ all: JS206
        """,
        alone="ends",
    ),
    _fault(
        "19 derivative of a ring with a tag for each edge",
        """
        @jax.jit
        def energy(x):
            y = mpi4jax.sendrecv(x, x, left, right, sendtag=rank, recvtag=left)  #@ all: JS201
            return (x * y).sum()

        print(energy(ones))
        print(jax.grad(energy)(ones))
        """,
        alone="hangs",
        ranks=(3,),
    ),
    _fault(
        "operation compiled at every call",
        """
        for _ in range(20 if rank == 0 else 0):
            mpi4jax.allreduce(ones, op=MPI.SUM, comm=MPI.COMM_SELF)  #@ rank 0: JS403
        """,
        alone="ends",
        status=0,
    ),
    _fault(
        "device memory for a plain MPI",
        """
        os.environ["MPI4JAX_USE_CUDA_MPI"] = "1"
        sys.modules["mpi4jax._src.xla_bridge"].HAS_CUDA_EXT = True
        sys.modules["mpi4jax._src.decorators"]._cuda_mpi_setup_done = True
        total = jax.jit(lambda x: mpi4jax.allreduce(x, op=MPI.SUM, comm=comm))  #@ rank 1: JS404
        if rank == 1:
            total.trace(ones).lower(lowering_platforms=("cuda",))
        """,
        alone="ends",
    ),
]
