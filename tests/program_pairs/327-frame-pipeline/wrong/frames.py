"""Synthetic camera frames, some of them damaged on the way to disk."""
import numpy as np

SHAPE = (48, 64)


class DamagedFrame(Exception):
    pass


def read_frame(number):
    rng = np.random.default_rng(number)
    frame = rng.poisson(20, SHAPE).astype(float)
    cy, cx = 10 + number, 5 + 2 * number
    frame[cy - 2:cy + 3, cx - 2:cx + 3] += 60
    if number % 7 == 5:
        raise DamagedFrame(f"checksum of frame {number}")
    return frame
