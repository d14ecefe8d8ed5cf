from mpi4py import MPI

comm = MPI.COMM_WORLD
if comm.size < 2:
    raise SystemExit("two ranks are needed")

RUNS = [20250312001 + k for k in range(6)]


def reconstruct(run):
    hits = [(run * 31 + 7 * k) % 101 for k in range(50)]
    return {"run": run, "hits": len(hits), "charge": sum(hits)}


if comm.rank == 0:
    charge = 0
    for k, run in enumerate(RUNS):
        source = 1 + k % (comm.size - 1)
        summary = comm.recv(source=source, tag=run)
        print(f"run {summary['run']}: {summary['hits']} hits")
        charge += summary["charge"]
    print("charge", charge)
else:
    for k, run in enumerate(RUNS):
        if 1 + k % (comm.size - 1) == comm.rank:
            comm.send(reconstruct(run), dest=0, tag=run)
