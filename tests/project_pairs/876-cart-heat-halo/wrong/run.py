import numpy as np
from mpi4py import MPI

from heat.halo import DatatypeExchanger
from heat.layout import Field, Layout
from heat.stencil import FivePoint, ForwardEuler, exact_decay
from heat.topology import Topology

SHAPE, MODES = (36, 44), (2, 3)
DT, STEPS = 0.2, 150


def initial(i, j):
    y = np.sin(np.pi * MODES[0] * (i + 1) / (SHAPE[0] + 1))
    x = np.sin(np.pi * MODES[1] * (j + 1) / (SHAPE[1] + 1))
    return y * x


def main():
    topology = Topology(MPI.COMM_WORLD, SHAPE)
    layout = Layout(topology)
    exchange = DatatypeExchanger(layout)
    field = Field.from_function(layout, initial)
    ForwardEuler(FivePoint(exchange), DT).advance(field, STEPS)
    whole = field.collect()
    if whole is not None:
        i, j = np.indices(SHAPE)
        expected = exact_decay(SHAPE, MODES, DT, STEPS) * initial(i, j)
        print(f"process grid {topology.cart.dims}")
        print(f"amplitude {np.abs(whole).max():.6f}, expected {np.abs(expected).max():.6f}")
        print(f"largest error {np.abs(whole - expected).max():.3e}")
    exchange.free()


if __name__ == "__main__":
    main()
