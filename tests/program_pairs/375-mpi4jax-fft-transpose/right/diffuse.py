"""Heat equation in spectral space, 2D FFT over slabs of rows."""
import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

from spectral.slab import fft2, ifft2

N = 32
NU, T = 0.05, 0.7


def main():
    comm = MPI.COMM_WORLD
    rows = N // comm.size
    x = 2 * np.pi * np.arange(N) / N
    y = x[comm.rank * rows:(comm.rank + 1) * rows]
    u = jnp.asarray(np.sin(3 * x)[None, :] + np.cos(2 * y)[:, None] * np.sin(x)[None, :])

    k = np.fft.fftfreq(N, d=1.0 / N)
    # after the transform a slab holds some kx and all ky
    kx = k[comm.rank * rows:(comm.rank + 1) * rows]
    decay = jnp.exp(-NU * T * (jnp.asarray(kx)[:, None] ** 2 + jnp.asarray(k)[None, :] ** 2))

    u = ifft2(fft2(u, comm) * decay, comm).real

    exact = (np.exp(-9 * NU * T) * np.sin(3 * x)[None, :]
             + np.exp(-5 * NU * T) * np.cos(2 * y)[:, None] * np.sin(x)[None, :])
    err = comm.allreduce(float(jnp.abs(u - exact).max()), op=MPI.MAX)
    if comm.rank == 0:
        print(f"{comm.size} slabs of {rows} rows, largest error {err:.2e}")
        assert err < 1e-10


if __name__ == "__main__":
    main()
