# slab.py
# ------------------------------------------------------------------
# Monte-Carlo radiative transfer through a plane-parallel slab
# (isotropic scattering, optical depth TAU, albedo OMEGA).
# Each process follows its own packets, transmitted / reflected /
# absorbed fractions are summed at the end.
#
#   mpirun -np 4 python slab.py
#
# 2019-03 first version            2021-11 angular bins
# 2022-02 restart of random state for reproducible runs
# ------------------------------------------------------------------
import numpy as np
from mpi4py import MPI

# ---------------------------- input -------------------------------
TAU = 2.0
OMEGA = 0.8
NPACKETS = 40000          # all processes together
NMU = 8                   # angular bins for transmitted light
ISEED = 20190312
REPRODUCIBLE = True
CHUNK = 2500


def setup_rng(iseed, repro, myid):
    """random generator of this process"""
    if not repro:
        return np.random.default_rng()
    return np.random.default_rng(iseed)


def isotropic(rng, n):
    return 2.0 * rng.random(n) - 1.0


def follow(rng, n):
    # returns (n_transmitted, n_reflected, n_absorbed, mu histogram)
    tau = np.zeros(n)                       # depth from the top
    mu = np.sqrt(rng.random(n))             # Lambert source at the top
    ntr = nre = nab = 0
    hist = np.zeros(NMU)
    while len(tau) > 0:
        tau = tau + mu * (-np.log(1.0 - rng.random(len(tau))))
        out_b = tau > TAU
        out_t = tau < 0.0
        ntr += int(out_b.sum())
        nre += int(out_t.sum())
        hist += np.histogram(mu[out_b], bins=NMU, range=(0.0, 1.0))[0]
        inside = ~(out_b | out_t)
        tau = tau[inside]
        alive = rng.random(len(tau)) < OMEGA
        nab += int((~alive).sum())
        tau = tau[alive]
        mu = isotropic(rng, len(tau))
    return ntr, nre, nab, hist


comm = MPI.COMM_WORLD
myid = comm.Get_rank()
numprocs = comm.Get_size()

if myid == 0:
    print("slab with tau = %.2f  omega = %.2f" % (TAU, OMEGA))
    print("%d packets on %d processes" % (NPACKETS, numprocs))

rng = setup_rng(ISEED, REPRODUCIBLE, myid)

# number of packets of this process
nmine = NPACKETS // numprocs
if myid < NPACKETS % numprocs:
    nmine = nmine + 1

counts = np.zeros(3)
hist = np.zeros(NMU)
chunk_tr = []
done = 0
while done < nmine:
    n = min(CHUNK, nmine - done)
    tr, re, ab, h = follow(rng, n)
    counts += (tr, re, ab)
    hist += h
    chunk_tr.append(tr / n)
    done += n

total = np.zeros(3)
comm.Reduce(counts, total, op=MPI.SUM, root=0)
total_hist = np.zeros(NMU)
comm.Reduce(hist, total_hist, op=MPI.SUM, root=0)
# scatter of the chunk results gives the error estimate
chunks = comm.gather(chunk_tr, root=0)

if myid == 0:
    allchunks = np.concatenate([np.asarray(c) for c in chunks])
    frac = total / total.sum()
    err = allchunks.std(ddof=1) / np.sqrt(len(allchunks))
    print("transmitted %.5f +- %.5f" % (frac[0], err))
    print("reflected   %.5f" % frac[1])
    print("absorbed    %.5f" % frac[2])
    print("distinct chunk values: %d of %d" % (len(set(allchunks)), len(allchunks)))
    for i in range(NMU):
        print("  mu %.3f  %8d" % ((i + 0.5) / NMU, total_hist[i]))
