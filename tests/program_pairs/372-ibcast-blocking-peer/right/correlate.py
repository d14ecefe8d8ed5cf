"""Cross-correlate radio antenna chunks; rank 0 is the only one with the recording."""
import numpy as np
from mpi4py import MPI

from prefetch import ChunkStream

ANTENNAS, SAMPLES, CHUNKS = 6, 2048, 8


def recording(k):
    rng = np.random.default_rng(k)
    sky = rng.normal(size=SAMPLES)
    return np.array([np.roll(sky, 3 * a) + 0.5 * rng.normal(size=SAMPLES)
                     for a in range(ANTENNAS)])


def lag(a, b):
    c = np.fft.irfft(np.fft.rfft(a) * np.conj(np.fft.rfft(b)), n=a.size)
    k = int(np.argmax(c))
    return k if k <= a.size // 2 else k - a.size


def main():
    comm = MPI.COMM_WORLD
    pairs = [(i, j) for i in range(ANTENNAS) for j in range(i)]
    mine = pairs[comm.rank::comm.size]
    lags = {p: [] for p in mine}

    for chunk in ChunkStream(comm, recording, (ANTENNAS, SAMPLES), CHUNKS):
        for i, j in mine:
            lags[i, j].append(lag(chunk[i], chunk[j]))

    tables = comm.gather(lags, root=0)
    if comm.rank == 0:
        merged = {p: v for t in tables for p, v in t.items()}
        wrong = sum(x != 3 * (i - j) for (i, j), v in merged.items() for x in v)
        print(f"{len(merged)} baselines, {sum(map(len, merged.values()))} lags, {wrong} wrong")
        if wrong:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
