import io

import numpy as np

TABLE = """\
0.1 0.2 0.3
1.1 0.4 0.9
2.0 1.2 0.1
0.7 0.7 1.8
1.5 1.9 0.6
0.2 1.6 1.1
"""


def load_positions(world):
    """The table of the particles, parsed once."""
    if world.rank != 0:
        return None
    table = np.loadtxt(io.StringIO(TABLE))
    assert table.shape[1] == 3
    return table
