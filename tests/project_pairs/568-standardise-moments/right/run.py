"""Sensor regression: standardised features, gradient descent over all ranks."""
import sys

import jax.numpy as jnp
from mpi4py import MPI

from sensors.config import load_config
from sensors.diagnostics import Diagnostics
from sensors.readings import read_sensor
from sensors.regression import Regression
from sensors.scaler import StandardScaler


def main():
    comm = MPI.COMM_WORLD
    cfg = load_config()
    x, y = read_sensor(cfg, comm.Get_rank())
    diag = Diagnostics(comm)

    scaler = StandardScaler(comm)
    z = scaler.fit(x).transform(x)
    model = Regression(comm, cfg)
    model.fit(z, y)

    diag.value("loss", model.loss(z, y))
    diag.agree("scaler mean", scaler.mean)
    diag.agree("scaler scale", scaler.scale)
    diag.agree("weights", jnp.append(model.w, model.b))
    return diag.finish()


if __name__ == "__main__":
    sys.exit(main())
