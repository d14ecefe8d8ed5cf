"""Table of the days and of the events, as CSV."""
import csv


class Recorder:
    FIELDS = ["day", "susceptible", "infected", "recovered", "event"]

    def __init__(self, path):
        self._handle = open(path, "w", newline="")
        self._writer = csv.DictWriter(self._handle, self.FIELDS)
        self._writer.writeheader()
        self.rows = 0

    def day(self, day, counts):
        s, i, r = (int(c) for c in counts)
        self._write(day=day, susceptible=s, infected=i, recovered=r)

    def event(self, day, text):
        self._write(day=day, event=text)

    def _write(self, **row):
        self._writer.writerow(row)
        self.rows += 1

    def close(self):
        self._handle.close()


def open_recorder(comm, path):
    return Recorder(path) if comm.rank == 0 else None
