"""Market data of the example."""
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np


class Market(NamedTuple):
    spot: float
    strike: float
    rate: float
    fixings: np.ndarray


def yearly_fixings(n):
    return jnp.linspace(1.0 / n, 1.0, n)


MARKET = Market(spot=100.0, strike=105.0, rate=0.02, fixings=yearly_fixings(12))
