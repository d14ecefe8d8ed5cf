import os

import numpy as np

import parallel

OUT = "correlation"


def correlate(seed, lags=20):
    rng = np.random.default_rng(seed)
    series = np.convolve(rng.normal(size=500), np.ones(8) / 8.0, mode="valid")
    series -= series.mean()
    return np.array([float((series[:-lag] * series[lag:]).mean()) for lag in range(1, lags + 1)])


def main():
    local = sum(correlate(s) for s in range(parallel.rank(), 12, parallel.size()))
    mean = parallel.total(local) / 12

    path = os.path.join(OUT, "mean.txt")
    if parallel.is_main():
        os.makedirs(OUT, exist_ok=True)
        np.savetxt(path, mean)
        parallel.wait()

    back = np.loadtxt(path)
    differences = parallel.everyone(float(np.abs(back - mean).max()))
    if parallel.is_main():
        print("lags:", len(back), "all read it:", max(differences) < 1e-12)


if __name__ == "__main__":
    main()
