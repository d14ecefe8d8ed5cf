"""Objects of derived classes, optional communicators, messages between partners: I3, I5, I7, I11, I16, I18, I25."""

import os

from mpi4py import MPI

world = MPI.COMM_WORLD


class Base:
    def __init__(self, comm):
        self.comm = comm

    def run(self):
        self.step()
        self.step()

    def step(self):
        self.comm.Barrier()
        self.comm.allreduce(1)

    @property
    def energy(self):
        return self.comm.allreduce(1)


class Serial(Base):
    def step(self):
        print("alone")

    @property
    def energy(self):
        return 1


def main():
    s = Serial(world)
    if world.rank == 0:
        s.run()
        print(s.energy)


class Job:
    """All methods for the members of the group."""

    def __init__(self, world, members):
        self.world = world
        self.group = world.group.Incl(members)
        self.comm = world.Create(self.group)

    def work(self):
        if self.comm == MPI.COMM_NULL:
            return
        self.comm.Barrier()
        self.comm.allreduce(1)


def job():
    j = Job(world, [0, 1])
    if world.rank < 2:
        j.work()
    j.work()


def lazily(comm, state):
    if "comm" not in state:
        state["comm"] = comm.Dup()
    return state["comm"]


def gen(comm):
    yield 1
    comm.Barrier()


def consume(comm):
    if comm.rank == 0:
        g = gen(comm)
    for x in gen(comm):
        print(x)


def optional(comm=None):
    if comm is None:
        comm = MPI.COMM_SELF
    comm.Barrier()
    return comm.allreduce(1)


def serial_or_parallel():
    if world.rank == 0:
        print(optional())
        print(optional(MPI.COMM_SELF))
    optional(world)


def helper(comm, root_only=False):
    if root_only and comm.rank != 0:
        return
    if not root_only:
        comm.Barrier()
        comm.allreduce(1)
    print("work")


def call_helper(comm):
    if comm.rank == 0:
        helper(comm, True)
    helper(comm, root_only=False)


def partners(comm):
    size, rank = comm.size, comm.rank
    mask = 1
    while mask < size:
        partner = rank ^ mask
        if partner < size:
            comm.sendrecv(1, dest=partner, source=partner)
        mask <<= 1
    comm.Barrier()


def tree(comm):
    step = 1
    while step < comm.size:
        if comm.rank % (2 * step) == 0:
            if comm.rank + step < comm.size:
                comm.recv(source=comm.rank + step)
        else:
            comm.send(1, dest=comm.rank - step)
            break
        step *= 2
    comm.Barrier()


def blocks(comm, n):
    lo = comm.rank * n // comm.size
    hi = (comm.rank + 1) * n // comm.size
    local = sum(range(lo, hi))
    return comm.allreduce(local)


def rounds(comm, todo):
    mine = todo[comm.rank :: comm.size]
    while comm.allreduce(len(mine)) > 0:
        if mine:
            mine.pop()
        comm.Barrier()


def leader(comm):
    host = MPI.Get_processor_name()
    hosts = comm.allgather(host)
    first = hosts.index(host) == comm.rank
    local = comm.Split(hosts.index(host), comm.rank)
    leaders = comm.Split(0 if first else MPI.UNDEFINED, comm.rank)
    if first:
        leaders.Barrier()
    local.Barrier()
    if local.rank == 0:
        leaders.allreduce(1)


def cart(comm):
    c = comm.Create_cart([2, 2])
    if c == MPI.COMM_NULL:
        return
    row = c.Sub([True, False])
    if c.coords[0] == 0:
        row.allgather(1)
    col = c.Sub([False, True])
    if row.rank == 0:
        col.Barrier()


def read_input(comm, path):
    text = None
    if comm.rank == 0:
        if os.path.exists(path):
            with open(path) as f:
                text = f.read()
    text = comm.bcast(text)
    if text is None:
        raise SystemExit("no input")
    return text


def intercomm(comm):
    color = comm.rank % 2
    half = comm.Split(color, comm.rank)
    inter = half.Create_intercomm(0, comm, 1 - color)
    if color == 0:
        inter.bcast(1, root=MPI.ROOT if half.rank == 0 else MPI.PROC_NULL)
    else:
        inter.bcast(None, root=0)


main()


class Worker:
    def __init__(self, comm, rank, parallel):
        self.comm = comm
        self.rank = rank
        self.parallel = parallel

    def work(self, rank, together):
        print(rank)
        if together:
            self.comm.Barrier()

    @staticmethod
    def wait(rank, together):
        print(rank)
        if together:
            world.Barrier()

    @classmethod
    def meet(cls, rank, together):
        print(rank)
        if together:
            world.Barrier()


class Helper(Worker):
    """Methods called by the class with the object, without one, with the class."""

    def __init__(self, comm):
        Worker.__init__(self, comm, comm.rank, comm.size > 1)

    def work(self, rank, together):
        Worker.work(self, rank, together)

    def run(self):
        Worker.work(self, self.comm.rank, True)
        Helper.work(self, self.comm.rank, self.parallel)
        self.wait(self.comm.rank, True)
        Worker.wait(self.comm.rank, self.parallel)
        self.meet(self.comm.rank, True)
        Helper.meet(self.comm.rank, True)


class Printer(Worker):
    """Methods of bases that come to methods of this class, and which class comes next is not sure."""

    def __init__(self, comm):
        super().__init__(comm, comm.rank, comm.size > 1)

    def work(self, rank, together):
        if self.comm.rank == 0:
            super().work(rank, False)

    def note(self):
        if self.rank == 0:
            super().note()


class Noting(Printer):
    def note(self):
        self.comm.Barrier()


class Silent(Worker):
    def work(self, rank, together):
        print(rank)


class Both(Printer, Silent):
    pass


Helper(world).run()
Both(world).work(world.rank, True)
