"""Result table of a study."""
import csv
import os

FIELDS = ["member", "alpha", "beta", "prey_max", "pred_max", "prey_mean"]


class ResultTable:
    def __init__(self, path, fields=FIELDS):
        self.path = path
        self.fields = list(fields)
        self.rows = []

    def __len__(self):
        return len(self.rows)

    def append(self, row):
        missing = [f for f in self.fields if f not in row]
        if missing:
            raise KeyError(f"row lacks {missing}")
        self.rows.append(row)

    def extend(self, rows):
        for row in rows:
            self.append(row)

    def write(self):
        os.makedirs(os.path.dirname(self.path) or ".", exist_ok=True)
        self.rows.sort(key=lambda r: r["member"])
        with open(self.path, "w", newline="") as fh:
            writer = csv.DictWriter(fh, fieldnames=self.fields)
            writer.writeheader()
            writer.writerows(self.rows)

    @classmethod
    def read(cls, path):
        table = cls(path)
        with open(path, newline="") as fh:
            for raw in csv.DictReader(fh):
                table.append({k: float(v) for k, v in raw.items()})
        return table
