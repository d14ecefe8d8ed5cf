"""A run journal with one line per record."""
import time


class Journal:
    def __init__(self, comm, path):
        self.comm = comm
        self.path = path
        self.started = time.perf_counter()
        if comm.rank == 0:
            self.stream = open(path, "w")
            self.stream.write("# step time front mass\n")

    def record(self, step, t, front, mass):
        if self.comm.rank != 0:
            return
        self.stream.write(f"{step} {t:.5f} {front:.4f} {mass:.6f}\n")

    def close(self):
        elapsed = self.comm.reduce(time.perf_counter() - self.started, root=0)
        if self.comm.rank == 0:
            self.stream.write(f"# cpu seconds {elapsed:.2f}\n")
        self.stream.close()
