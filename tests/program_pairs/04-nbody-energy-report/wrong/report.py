import sys


def report(step, cluster, out=sys.stdout):
    energy = cluster.total_energy()
    if cluster.comm.rank == 0:
        out.write(f"step {step:5d}  E_kin = {energy:.6e}\n")
        out.flush()
