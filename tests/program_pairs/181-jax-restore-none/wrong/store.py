import os

import numpy as np


def save(path, params, step):
    tmp = path + ".part"
    with open(tmp, "wb") as out:
        np.savez(out, step=step, **params)
    os.replace(tmp, path)


def load(path):
    """Step and parameters of the checkpoint, (0, None) if there is none."""
    if not os.path.exists(path):
        return 0, None
    with np.load(path) as data:
        params = {name: data[name] for name in data.files if name != "step"}
        return int(data["step"]), params
