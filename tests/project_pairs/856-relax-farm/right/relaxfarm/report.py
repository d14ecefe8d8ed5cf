"""Table of the relaxed clusters."""
import numpy as np


def zero_point(frequencies):
    return 0.5 * float(np.sum(frequencies))


def write_table(records, stream):
    stream.write("# job atoms      energy  modes  lowest  zero-point\n")
    for r in records:
        stream.write(f"{r.number:5d} {r.n_atoms:5d} {r.energy:11.5f} "
                     f"{len(r.frequencies):6d} {r.frequencies[0]:7.3f} "
                     f"{zero_point(r.frequencies):11.4f}\n")
