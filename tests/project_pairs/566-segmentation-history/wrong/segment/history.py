import csv


class History:
    """Rows of metrics, also written to a file."""

    def __init__(self, path):
        self.rows = []
        self._file = open(path, "w", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(["epoch", "loss", "lr"])

    def add(self, epoch, loss, lr):
        self.rows.append((epoch, loss, lr))
        self._writer.writerow([epoch, f"{loss:.6f}", lr])
        self._file.flush()

    def rising(self, count):
        """Whether the last losses did not get better."""
        tail = [loss for _, loss, _ in self.rows[-count - 1:]]
        return len(tail) > count and min(tail[1:]) >= tail[0]

    def best(self):
        return min(self.rows, key=lambda r: r[1])[0]

    def close(self):
        self._file.close()
