import jax
import numpy as np
from functools import partial

@partial(jax.pmap, axis_name="batch")
def update(params, batch):
    g = jax.lax.pmean(params * batch, "batch")
    return params - g, g

def train(params, loader, steps):
    for step, batch in zip(range(steps), loader):
        params, loss = update(params, batch)  #! JM604
        if jax.process_index() == 0:
            if not np.isfinite(loss[0]):
                break
    return params
