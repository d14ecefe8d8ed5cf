"""JM101."""

from __future__ import annotations

from jaxmpi_lint.findings.diagnostics import Applicability, Severity
from jaxmpi_lint.rules.base import Example
from jaxmpi_lint.rules.divergence_rule import DivergenceRule


class CollectiveInRankBranch(DivergenceRule):
    """Collective reached by only some ranks.

    ## What it does
    Reports a collective operation on a communicator that stands in one arm of a test on the rank of that same
    communicator, while the other arm does not enter a matching one.

    ## Why is this bad?
    A collective operation completes only when every process of the communicator calls it. The processes that took the
    other arm never do: the job hangs, or, worse, the call is matched with a later collective of the same kind and the
    numbers are wrong.

    ## Example
    ```python
    rank = comm.Get_rank()
    if rank == 0:
        config = load()
        comm.bcast(config, root=0)
    ```

    ## Use instead
    ```python
    rank = comm.Get_rank()
    config = load() if rank == 0 else None
    config = comm.bcast(config, root=0)
    ```

    ## Fix safety
    Unsafe, and offered only for a call without data that is the last statement of the branch: it is moved behind the
    branch, so that every process makes it. Whether the others were meant to wait there, only the author knows.

    ## How sure
    High when the test compares the rank of the same communicator (or of one derived from it), medium when the rank
    reaches the test through other values. Both arms are compared as the sets of communication sequences that they
    can perform up to the point where they meet again, so arms with equal sequences are silent, as are tests on the
    rank of a communicator whose relation is not known, communicators made by `Split` for the members of the arm,
    `COMM_SELF`, calls of functions that are not known, loops in which one role awaits commands, and branches that
    end in an exception or `Abort`.

    Files, windows and plans belong to the communicator that they were made on: MPI's own, those of h5py and netCDF4
    that are opened on a communicator, those of bigfile, mpi4py-fft, pfft and MP-sort.

    Collectives in called functions are reported as JM105, those that other local values than the rank decide about as
    JM109 (files), JM111 (caches), JM112 (clocks) and JM804 (random numbers).

    ## Known misses
    Data that a process read or computed itself; pieces made by `Split` if the colour or the test follows from more than
    the rank and the number of processes; calls of functions that are not known.

    ## References
    MPI 4.1, section 6.1 (collective operations are called by all processes of the group) and section 6.14
    (correctness). Runtime check: JS101.
    """

    code = "JM101"
    name = "collective-in-rank-branch"
    severity = Severity.ERROR
    remedy = "move the call out of the branch, or let the other ranks take part in it (at run time: JS101)"
    hoists = True
    fix = Applicability.UNSAFE

    VALID = (
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD

        def share(value):
            if comm.rank == 0:
                comm.bcast(value, root=0)
            else:
                value = comm.bcast(None, root=0)
            return value
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank = comm.Get_rank()
        if rank == 0:
            value = comm.bcast({"a": 1})
        if rank != 0:
            value = comm.bcast(None)
        """,
        """
        from mpi4py import MPI

        def write(comm, data):
            if comm.rank == 0:
                print(data)
                MPI.COMM_SELF.Barrier()
            if comm.size > 1:
                comm.Barrier()
        """,
        """
        from mpi4py import MPI

        def part(comm):
            members = comm.Split(comm.rank % 2)
            if comm.rank % 2:
                members.Barrier()
        """,
        """
        from mpi4py import MPI

        class Grid:
            def __init__(self, rows, columns):
                self.rows, self.columns = rows, columns

            def collect(self, value):
                if self.columns.rank == 0:
                    return self.rows.gather(value)
        """,
        """
        from mpi4py import MPI

        def run(comm, work):
            if comm.rank == 0:
                return work
            while True:
                command = comm.bcast(None)
                if command is None:
                    return None

        def stop(comm):
            if comm.rank == 0:
                comm.bcast(None)
        """,
        """
        import functools

        def total(rank, values):
            if rank == 0:
                return functools.reduce(max, values)
        """,
        """
        from mpi4py import MPI

        def load(comm, path):
            if comm is None:
                rank = 0
            else:
                rank = comm.rank
            if comm is not None:
                comm.Barrier()
            return rank
        """,
        """
        from mpi4py import MPI

        def halves(comm, value):
            if comm.rank % 2 == 0:
                value = comm.bcast(value)
            if comm.rank % 2 != 0:
                value = comm.bcast(None)
            if comm.rank == 1:
                comm.Barrier()
            if comm.rank != 1:
                comm.Barrier()
        """,
        """
        from mpi4py import MPI

        def steps(comm, mode):
            for _ in range(3):
                if mode == "sum":
                    comm.allreduce(1)
                elif comm.rank == 0:
                    break
        """,
        """
        from mpi4py import MPI

        def publish(comm, value, leader):
            if comm.rank == leader:  # jaxmpi-lint: uniform
                comm.bcast(value)
            single = comm.rank == 0  # jaxmpi-lint: uniform
            if single:
                comm.Barrier()
        """,
        """
        import socket
        from mpi4py import MPI

        def first_part(comm, count):
            if comm.rank < count:
                part = comm.Split(0)
                part.Barrier()
                part.allreduce(1)
            else:
                comm.Split(MPI.UNDEFINED)

        def on_first_host(comm, first):
            host = comm.Split_type(MPI.COMM_TYPE_SHARED)
            if socket.gethostname() == first:
                host.Barrier()
        """,
        """
        from mpi4py import MPI

        def choose(comm, count):
            if comm.rank < count:
                part = comm.Split(0)
            else:
                part = comm.Split(1)
            if comm.rank < count:
                part.Barrier()
        """,
    )
    INVALID = (
        """
        from mpi4py import MPI

        LARGE = 40 * 128

        def exchange(comm, flag):
            if comm.size > 3:
                if flag:
                    comm.Barrier()  #! JM101

        def main():
            comm = MPI.COMM_WORLD
            if comm.size < 2:
                return
            exchange(comm, comm.rank >= 1)
            if comm.size == 3 and comm.rank == 0:
                comm.allreduce(1)  #! JM101
            if comm.size > LARGE:
                if comm.rank == 0:
                    comm.bcast(1)  #! JM101

        main()
        """,
        """
        from mpi4py import MPI

        class Base:
            @staticmethod
            def wait(flag, comm):
                if flag:
                    comm.Barrier()  #! JM101

            def work(self, comm, flag):
                if flag:
                    comm.Barrier()  #! JM101

        class Derived(Base):
            def run(self, comm):
                self.wait(comm.rank == 0, comm)
                Base.work(self, comm, comm.rank == 0)
        """,
        """
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        rank = comm.Get_rank()
        if rank == 0:
            comm.bcast({"steps": 3}, root=0)  #! JM101
        """,
        """
        from mpi4py import MPI

        def report(comm, value):
            if comm.rank:
                print(value)
            else:
                total = comm.reduce(value)  #! JM101
                print(total)
        """,
        """
        import mpi4py.MPI as mpi

        class Model:
            def __init__(self):
                self.comm = mpi.COMM_WORLD.Dup()
                self.is_root = self.comm.Get_rank() == 0

            def save(self):
                if self.is_root:
                    self.comm.Barrier()  #! JM101
        """,
        """
        from mpi4py import MPI

        def sync(comm):
            comm.Barrier()

        def main():
            world = MPI.COMM_WORLD
            if world.rank != 0:
                sync(world)  #! JM101
            print("done")
        """,
        """
        import jax.numpy as jnp
        import mpi4jax
        from mpi4py import MPI

        comm = MPI.COMM_WORLD
        if comm.Get_rank() == 0:
            x = mpi4jax.allreduce(jnp.ones(3), op=MPI.SUM, comm=comm)  #! JM101
        """,
        """
        import os
        from mpi4py import MPI

        if int(os.environ["SLURM_PROCID"]) == 0:
            MPI.COMM_WORLD.Barrier()  #! JM101
        """,
        """
        from mpi4py import MPI

        def f(comm, x):
            leader = False
            if comm.rank == 0:
                leader = True
            if leader:
                comm.allreduce(x)  #! JM101
        """,
        """
        from mpi4py import MPI

        def first(comm):
            rank = comm.rank
            chosen = comm.bcast(rank)
            if rank == chosen:
                comm.Barrier()  #! JM101
        """,
        """
        from mpi4py import MPI

        def publish(comm, value):
            rank = comm.rank
            if rank == 0:
                comm.Barrier()  #! JM101
            comm.allreduce(value)
            if rank == 0:
                print(value)
                comm.bcast(value)
            else:
                comm.bcast(None)
        """,
        Example(
            """
            from mpi4py import MPI

            def write(comm, data):
                if comm.rank == 0:
                    print(data)
                    comm.Barrier()  #! JM101
                if comm.rank == 0:
                    comm.barrier()  #! JM101
                return data
            """,
            fixed="""
            from mpi4py import MPI

            def write(comm, data):
                if comm.rank == 0:
                    print(data)
                comm.Barrier()
                comm.barrier()
                return data
            """,
        ),
        Example(
            """
            from mpi4py import MPI

            def publish(comm, am_leader, my_id, value):
                if my_id == 0:
                    comm.bcast(value)  #! JM101
                if am_leader():
                    comm.Barrier()  #! JM101
            """,
            settings={"rank-names": ["my_id", "am_leader"]},
        ),
    )
