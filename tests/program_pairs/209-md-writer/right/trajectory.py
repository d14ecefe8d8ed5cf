class TrajectoryWriter:
    """XYZ frames of the whole system, every so many steps."""

    def __init__(self, comm, path, every=1):
        self.comm = comm
        self.every = every
        self.frames = 0
        if comm.rank == 0:
            self._out = open(path, "w")

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if self.comm.rank == 0:
            self._out.close()
        return False

    def write(self, step, x):
        if self.comm.rank != 0 or step % self.every:
            return
        self._out.write(f"{len(x)}\nstep {step}\n")
        for value in x:
            self._out.write(f"Ar {value:.6f} 0.0 0.0\n")
        self.frames += 1
