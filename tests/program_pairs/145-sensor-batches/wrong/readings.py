"""Sensor files: one value a line."""
import numpy as np


def create(folder, nfiles):
    for i in range(nfiles):
        rng = np.random.default_rng(i)
        lines = [f"{x:.5f}" for x in rng.normal(20.0 + i, 1.0, size=50)]
        if i == 4:
            lines[17] = "##sync lost##"
        (folder / f"sensor_{i:03d}.txt").write_text("\n".join(lines) + "\n")


def parse(path):
    values = []
    with open(path) as fh:
        for number, line in enumerate(fh, 1):
            try:
                values.append(float(line))
            except ValueError as err:
                raise ValueError(f"{path.name}:{number}: {err}") from None
    return np.array(values)
