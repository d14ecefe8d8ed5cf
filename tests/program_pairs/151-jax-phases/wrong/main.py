"""Galaxy spectra: the first process prepares a catalogue, all processes fit their share of it."""
import contextlib
import os
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

ROOT = Path(os.environ.get("CATALOGUE_DIR", "catalogue"))
PIXELS = 128


class Phases:
    """Named phases of the pipeline; all processes enter and leave them together."""

    def __init__(self):
        self.seconds = {}

    def barrier(self, name):
        multihost_utils.sync_global_devices(f"{name}-{time.time_ns() // 1_000_000}")

    @contextlib.contextmanager
    def __call__(self, name):
        self.barrier(f"enter {name}")
        start = time.perf_counter()
        yield
        self.barrier(f"leave {name}")
        self.seconds[name] = time.perf_counter() - start


def build_catalogue(path, n=60):
    rng = np.random.default_rng(77)
    z = rng.uniform(0.0, 0.4, n)
    wave = np.linspace(0.5, 1.0, PIXELS)
    flux = np.exp(-0.5 * ((wave[None, :] - 0.55 * (1 + z[:, None])) / 0.01) ** 2)
    flux += 0.05 * rng.standard_normal(flux.shape)
    path.mkdir(parents=True, exist_ok=True)
    np.savez(path / "spectra.npz", wave=wave, flux=flux, z=z)


@jax.jit
def fit_redshift(wave, flux):
    trial = jnp.linspace(0.0, 0.45, 226)
    model = jnp.exp(-0.5 * ((wave[None, :] - 0.55 * (1 + trial[:, None])) / 0.01) ** 2)
    chi2 = ((flux[None, :] - model) ** 2).sum(axis=1)
    return trial[jnp.argmin(chi2)]


def fit_share(path):
    with np.load(path / "spectra.npz") as data:
        wave, flux, truth = data["wave"], data["flux"], data["z"]
    mine = range(jax.process_index(), len(truth), jax.process_count())
    error = [float(fit_redshift(wave, flux[i])) - truth[i] for i in mine]
    return np.array([len(error), np.sum(error), np.sum(np.square(error))])


def main():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )
    phase = Phases()
    with phase("prepare"):
        if jax.process_index() == 0:
            build_catalogue(ROOT)
    with phase("fit"):
        sums = fit_share(ROOT)
    everything = np.asarray(multihost_utils.process_allgather(sums)).reshape(-1, 3)
    n, s1, s2 = everything.sum(axis=0)
    if jax.process_index() == 0:
        print(f"{int(n)} spectra, bias {s1 / n:+.4f}, rms {np.sqrt(s2 / n):.4f}; phases", ", ".join(phase.seconds))
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
