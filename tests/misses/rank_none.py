from mpi4py import MPI
class System:
    def __init__(self, comm):
        self.comm = comm

    def meta(self, names, rank=None):
        result = {}
        for n in names:
            one = {"val": n}
            if rank is None:
                parts = self.comm.allgather(one)
            else:
                parts = self.comm.gather(one, root=rank)
            if rank is None or self.comm.rank == rank:
                one["all"] = parts
            else:
                one = None
            if one is not None:
                result[n] = one
        return result

    def value(self, name, wanted, rank=None):
        if wanted and name in self.remote and self.comm.size > 1:
            if rank is None:
                return self.comm.allgather(name)  #! JM101
            return self.comm.gather(name, root=rank)
        return name

    def show(self, names, val=True, all_procs=False):
        found = self.meta(names, rank=None if all_procs or val else 0)
        if val:
            for n, m in found.items():
                m["val"] = self.value(n, True, rank=None if all_procs else 0)
