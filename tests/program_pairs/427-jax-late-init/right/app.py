import argparse
import logging

import jax
import numpy as np

import kernels
import parallel

logger = logging.getLogger("krr")

DEFAULTS = {"ell": 0.6, "ridge": 1e-3, "inducing": 20, "points": 200}


def connect(args):
    jax.distributed.initialize(
        coordinator_address=args.coordinator,
        num_processes=args.n,
        process_id=args.id,
    )
    logger.info("process %d of %d", jax.process_index(), jax.process_count())


def local_points(n):
    rng = np.random.default_rng([4, jax.process_index()])
    x = rng.uniform(-3, 3, size=(n, 1)).astype(np.float32)
    y = np.sin(2 * x[:, 0]) + 0.1 * rng.normal(size=n).astype(np.float32)
    return x, y.astype(np.float32)


def fit(cfg):
    x, y = local_points(cfg["points"])
    z = np.linspace(-3, 3, cfg["inducing"], dtype=np.float32)[:, None]
    gx, gy = parallel.scatter_rows(x), parallel.scatter_rows(y)
    gz = jax.device_put(z, parallel.everywhere())
    a, b = kernels.compiled()(gx, gy, gz, ell=cfg["ell"])
    a, b = np.asarray(a), np.asarray(b)
    kzz = np.asarray(kernels.rbf(z, z, cfg["ell"]))
    coef = np.linalg.solve(a + cfg["ridge"] * kzz + 1e-4 * np.eye(len(z)), b)
    return z, coef


def test_error(z, coef, cfg):
    t = np.linspace(-2.5, 2.5, 101, dtype=np.float32)[:, None]
    pred = np.asarray(kernels.rbf(t, z, cfg["ell"])) @ coef
    return float(np.sqrt(np.mean((pred - np.sin(2 * t[:, 0])) ** 2)))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", default="localhost:5555")
    p.add_argument("--n", type=int, default=1)
    p.add_argument("--id", type=int, default=0)
    for k, v in DEFAULTS.items():
        p.add_argument(f"--{k}", type=type(v), default=v)
    args = p.parse_args()
    logging.basicConfig(level=logging.INFO)
    connect(args)
    cfg = {k: getattr(args, k) for k in DEFAULTS}
    z, coef = fit(cfg)
    err = test_error(z, coef, cfg)
    if jax.process_index() == 0:
        print(f"rmse {err:.4f} on {jax.device_count()} devices")


if __name__ == "__main__":
    main()
