import pickle
from jax.experimental import multihost_utils
def restore(path):
    try:
        with open(path, "rb") as f:
            return pickle.load(f)
    except FileNotFoundError:
        return None
def run(path, step):
    state = restore(path)
    if state is not None:
        multihost_utils.sync_global_devices("thermalise")
