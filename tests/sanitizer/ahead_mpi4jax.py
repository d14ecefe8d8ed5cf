"""Compiled functions that are compared before they begin: wrong programs, and correct ones that look alike."""

from __future__ import annotations

from .mpi4jax_cases import clean, fault

DIFFER_LATER = [
    fault(
        "ahead, an operator after a loop",
        """
        total = functools.partial(mpi4jax.allreduce, op=MPI.SUM)

        @jax.jit
        def step(x):
            x = jax.lax.fori_loop(0, 3, lambda _, y: total(y), total(x))
            if rank == 0:
                return mpi4jax.allreduce(x, op=MPI.MAX)  #@ rank 0: JS104
            return total(x)  #@ others: JS104

        print(step(ones))
        """,
        alone="ends",
        ranks=(2, 3),
    ),
    fault(
        "ahead, a message that never comes before a root",
        """
        @jax.jit
        def step(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM)
            if rank == 0:
                x = mpi4jax.recv(x, 1)
            return mpi4jax.bcast(x, rank)  #@ all: JS103

        print(step(ones))
        """,
        alone="hangs",
    ),
    fault(
        "ahead, functions of different length",
        """
        @jax.jit
        def whole(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
            x = mpi4jax.scan(x, op=MPI.SUM, comm=comm)
            mpi4jax.barrier(comm=comm)
            return mpi4jax.bcast(x, 0, comm=comm)  #@ rank 0: JS101

        @jax.jit
        def half(x):
            x = mpi4jax.scan(x, op=MPI.SUM, comm=comm)
            mpi4jax.barrier(comm=comm)
            return mpi4jax.allgather(x, comm=comm)  #@ rank 1: JS101

        if rank == 0:
            print(whole(ones))
        else:
            first = jax.jit(lambda x: mpi4jax.allreduce(x, op=MPI.SUM, comm=comm))
            print(half(first(ones).block_until_ready()))
        """,
        alone="hangs",
    ),
    fault(
        "ahead, a shape in a scan, on the collectives core",
        """
        @jax.jit
        def step(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM)
            x, _ = jax.lax.scan(lambda y, _: (mpi4jax.bcast(y, 0), None), x, None, length=2)
            return mpi4jax.allgather(x[rank:])  #@ all: JS105

        print(step(ones))
        """,
        alone={"openmpi": "fails", "mpich": "ends"},
        options={"backend": "core"},
    ),
]

ALIKE = [
    clean(
        "ahead, roles",
        """
        @jax.jit
        def leads(x):
            x = mpi4jax.bcast(x, 0)
            for other in range(1, size):
                x = x + mpi4jax.recv(jnp.ones(other), other, tag=other).sum()
            mpi4jax.send(x, size - 1)
            return mpi4jax.reduce(x, op=MPI.SUM, root=0)

        @jax.jit
        def follows(x):
            x = mpi4jax.bcast(x, 0)
            mpi4jax.send(jnp.ones(rank), 0, tag=rank)
            if rank == size - 1:
                x = mpi4jax.recv(x, 0)
            return mpi4jax.reduce(x, op=MPI.SUM, root=0)

        print((leads if rank == 0 else follows)(ones))
        """,
        ranks=(2, 4),
    ),
    clean(
        "ahead, cut into functions in another way",
        """
        total = functools.partial(mpi4jax.allreduce, op=MPI.SUM, comm=comm)
        share = functools.partial(mpi4jax.bcast, root=0, comm=comm)

        @jax.jit
        def whole(x):
            return share(jax.lax.fori_loop(0, 2, lambda _, y: total(share(y)), total(x)))

        if rank == 0:
            print(whole(ones))
        else:
            both = jax.jit(lambda x: total(share(total(x))))
            x = np.array(both(ones))
            comm.Bcast(x, root=0)
            x = total(jnp.asarray(x)).block_until_ready()
            print(jax.jit(share)(x))
        """,
    ),
    clean(
        "ahead, branches and loops on data",
        """
        total = functools.partial(mpi4jax.allreduce, op=MPI.SUM, comm=comm)
        share = functools.partial(mpi4jax.bcast, root=0, comm=comm)

        @jax.jit
        def step(x):
            x = total(x)
            x = jax.lax.cond(x[0] > 100 * rank - 50, share, lambda y: 1 * share(y), x)
            if rank == 0:
                x = jax.lax.fori_loop(0, jnp.int32(x[0]), lambda _, y: total(y) / size, x)
                return share(total(x))
            turns = jnp.int32(x[0])
            x, _ = jax.lax.while_loop(lambda y: y[1] > 0, lambda y: (total(y[0]) / size, y[1] - 1), (x, turns))
            x = total(x)
            return share(x)

        print(step(ones))
        """,
    ),
    clean(
        "ahead, groups that do different things",
        """
        part = comm.Split(rank % 2, rank)
        x = mpi4jax.allreduce(ones, op=MPI.SUM, comm=comm)

        @jax.jit
        def step(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
            if rank % 2:
                x = mpi4jax.allgather(x[:2], comm=part).sum(0)
            else:
                x = mpi4jax.bcast(mpi4jax.scan(x, op=MPI.MAX, comm=part), 0, comm=part)
            return mpi4jax.allgather(x.sum(), comm=comm)

        print(step(x))
        """,
        ranks=(4,),
    ),
    clean(
        "ahead, a callback on one rank, calls of mpi4py on the other",
        """
        total = functools.partial(mpi4jax.allreduce, op=MPI.SUM, comm=comm)

        def across(x):
            space = np.empty_like(x)
            comm.Allreduce(np.ascontiguousarray(x), space)
            comm.Barrier()
            return space

        @jax.jit
        def step(x):
            x = jax.pure_callback(across, jax.ShapeDtypeStruct(x.shape, x.dtype), total(x))
            return mpi4jax.bcast(total(x), 0, comm=comm)

        if rank == 0:
            print(step(ones))
        else:
            x = across(np.asarray(jax.jit(total)(ones)))
            print(jax.jit(lambda y: mpi4jax.bcast(total(y), 0, comm=comm))(x))
        """,
    ),
    clean(
        "ahead, functions started before others have ended",
        """
        total = functools.partial(mpi4jax.allreduce, op=MPI.SUM, comm=comm)
        first = jax.jit(lambda x: total(total(slowly(x))))
        second = jax.jit(lambda x: mpi4jax.bcast(total(x), 0, comm=comm))
        third = jax.jit(lambda x: mpi4jax.scan(mpi4jax.bcast(x, 0, comm=comm), op=MPI.SUM, comm=comm))
        if rank == 0:
            print(third(second(first(ones))))
        else:
            print(third(jax.jit(lambda x: second(first(x)))(ones)))
        """,
    ),
    clean(
        "ahead, a function that fails half way, on the collectives core",
        """
        @jax.jit
        def step(x):
            x = mpi4jax.allreduce(x, op=MPI.SUM, comm=comm)
            refused = mpi4jax.allreduce(x > 0, op=MPI.SUM, comm=comm)
            return mpi4jax.bcast(x, 0, comm=comm), refused

        try:
            jax.block_until_ready(step(ones))
        except Exception as error:
            print(error)
        if rank == 0:
            time.sleep(0.5)
        share = functools.partial(mpi4jax.allgather, comm=comm)
        print(jax.jit(lambda x: mpi4jax.scan(share(x).sum(0), op=MPI.SUM, comm=comm))(ones))
        """,
        options={"backend": "core"},
    ),
    clean(
        "ahead, threads with their own communicators",
        """
        import concurrent.futures

        own = [comm.Dup() for _ in range(2)]

        def work(number):
            @jax.jit
            def step(x):
                x = mpi4jax.allreduce(x, op=MPI.SUM, comm=own[number])
                return mpi4jax.bcast(x, 0, comm=own[number])

            return step(ones)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for number in range(2):
                print(pool.submit(work, number).result(), work(1 - number))
        for one in own:
            one.Free()
        """,
    ),
]
