class Trajectories:
    """Text file with id, step, x, y of all drifters, written by rank 0."""

    def __init__(self, strips, path):
        self.strips = strips
        self.path = path
        self.file = open(path, "w") if path and strips.rank == 0 else None

    def append(self, step, parts):
        if not self.path:
            return
        blocks = self.strips.comm.gather(parts.rows, root=0)
        if self.file:
            for row in sorted(tuple(r) for b in blocks for r in b):
                self.file.write(f"{int(row[0])} {step} {row[1]:.6f} {row[2]:.6f}\n")

    def close(self):
        if self.file:
            self.file.close()
