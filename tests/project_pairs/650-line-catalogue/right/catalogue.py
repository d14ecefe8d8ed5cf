import os

from comm_utils import in_rank_order


class CatalogueError(RuntimeError):
    pass


class Catalogue:
    HEADER = "# id     amp        mu    sigma      snr\n"

    def __init__(self, path, comm, min_snr):
        self.path, self.comm, self.min_snr = path, comm, min_snr
        if comm.rank == 0:
            with open(path, "w") as fh:
                fh.write(self.HEADER)
        comm.Barrier()

    def _format(self, row):
        if not row["snr"] >= self.min_snr:
            raise CatalogueError(f"source {row['id']}: S/N {row['snr']:.2f} is too low")
        return "{id:4d} {amp:9.3f} {mu:9.3f} {sigma:8.3f} {snr:8.2f}\n".format(**row)

    def append(self, rows):
        """Append the rows of all ranks, ordered by rank."""
        with in_rank_order(self.comm):
            lines = [self._format(r) for r in rows]
            with open(self.path, "a") as fh:
                fh.writelines(lines)
                fh.flush()
                os.fsync(fh.fileno())

    def count(self):
        with open(self.path) as fh:
            return sum(not line.startswith("#") for line in fh)
