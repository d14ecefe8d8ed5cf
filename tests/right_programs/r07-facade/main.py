"""Power iteration on a row-distributed matrix, with or without mpi4py."""
import argparse

import numpy as np

from comms import make_communicator
from dist import DistributedMatrix


def power_iteration(mat, tol=1e-11, max_iter=2000):
    x = np.ones(mat.n) / np.sqrt(mat.n)
    lam = 0.0
    for it in range(max_iter):
        y = mat.matvec(x)
        new = float(x @ y)
        x = y / np.linalg.norm(y)
        # the test is made on values that are the same on every rank
        done = mat.comm.any(abs(new - lam) <= tol * abs(new))
        lam = new
        if done:
            break
    return lam, x, it + 1


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--serial", action="store_true")
    ap.add_argument("-n", type=int, default=45)
    args = ap.parse_args()

    comm = make_communicator(force_serial=args.serial)
    mat = DistributedMatrix.build(comm, args.n)
    lam, x, its = power_iteration(mat)

    diag = mat.trace()
    full = mat.collect()
    if comm.is_root:
        exact = np.linalg.eigvalsh(full)
        assert abs(lam - exact[-1]) < 1e-6, (lam, exact[-1])
        assert abs(diag - exact.sum()) < 1e-8
        assert np.linalg.norm(full @ x - lam * x) < 1e-3
    else:
        assert full is None
    comm.log(f"lambda_max = {lam:.8f} after {its} iterations on {comm.size} ranks")
    comm.barrier()
    comm.close()


if __name__ == "__main__":
    main()
