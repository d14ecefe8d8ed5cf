"""Line maps of one field."""
import sys

import numpy as np

from cubered.cluster import Cluster
from cubered.pipeline import COLUMNS, measure
from cubered.source import FieldConfig


def main(path=None):
    cluster = Cluster()
    cfg = FieldConfig()
    table = measure(cluster, cfg)
    if cluster.is_first:
        if path:
            np.savetxt(path, table, header=" ".join(COLUMNS), fmt="%10.4f")
        spaxel, flux, centre, width = table.T
        print(f"{len(table)} spaxels, {np.unique(spaxel).size} different, "
              f"total flux {flux.sum():.3f}, mean centre {centre.mean():.3f}, "
              f"mean width {width.mean():.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
