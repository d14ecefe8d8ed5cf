import time
import jax
from jax.experimental import multihost_utils

class TimeUp(Exception):
    pass

def check(start, limit):
    if time.time() - start > limit:
        raise TimeUp

@jax.jit
def step(state, batch):
    return state + batch

def train(state, loader, limit, mesh):
    start = time.time()
    for k in range(1000):
        try:
            check(start, limit)
        except TimeUp:
            break
        multihost_utils.sync_global_devices("step")  #! JM107
    return state

def train_inline(limit):
    start = time.time()
    for k in range(1000):
        if time.time() - start > limit:
            break
        multihost_utils.sync_global_devices("step")  #! JM112

def train_raise(limit):
    start = time.time()
    for k in range(1000):
        if time.time() - start > limit:
            raise TimeUp  #! JM103
        multihost_utils.sync_global_devices("step")
