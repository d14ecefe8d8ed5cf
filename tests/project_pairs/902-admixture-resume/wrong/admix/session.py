"""One session of a resumable run."""
from .checkpoint import SharedState


class Session:
    def __init__(self, comm, model, store):
        self.comm = comm
        self.model = model
        self.store = store
        self.step = 0

    def restore(self):
        """Take up the last checkpoint, which the first rank reads for all."""
        q = None
        if self.comm.rank == 0:
            state = self.store.load_shared()
            if state is not None:
                self.step, q = state.step, state.q
        q = self.comm.bcast(q, root=0)
        if q is not None:
            self.model.q = q
            self.model.f = self.store.load_local(self.comm.rank)

    def save(self):
        self.store.save_local(self.comm.rank, self.model.f)
        self.comm.Barrier()
        if self.comm.rank == 0:
            self.store.save_shared(SharedState(self.step, self.model.q))

    def advance(self, iterations, length):
        """Up to length steps; true when all iterations are done."""
        last = min(iterations, self.step + length)
        while self.step < last:
            self.model.em_step()
            self.step += 1
        self.save()
        return self.step >= iterations
