import jax
from jax.experimental import multihost_utils
def train(loader, steps):
    for step in range(steps):
        if jax.process_index() == 0:
            if step > 3:
                break
        multihost_utils.sync_global_devices("step")  #! JM601
