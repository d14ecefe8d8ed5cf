from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()

if rank == 0:
    jobs = [{"temperature": 1.0 + 0.25 * k, "sweeps": 200} for k in range(12)]
    shares = [jobs[k :: comm.size] for k in range(comm.size)]
else:
    shares = None
my_jobs = comm.scatter(shares, root=0)

energies = []
for job in my_jobs:
    m = 1.0
    for _ in range(job["sweeps"]):
        m = 0.5 * m + 0.5 * m / (0.25 + job["temperature"] * m * m)
    energies.append((job["temperature"], -m * m))

collected = comm.gather(energies, root=0)
if rank == 0:
    for temperature, energy in sorted(e for part in collected for e in part):
        print(f"{temperature:.2f} {energy:.6f}")
