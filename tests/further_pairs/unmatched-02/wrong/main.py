from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

words = "to be or not to be that is the question".split()
mine = words[rank::size]
counts = {}
for word in mine:
    counts[word] = counts.get(word, 0) + 1

if rank == 0:
    total = dict(counts)
    for source in range(size):
        part = comm.recv(source=source, tag=8)
        for word, n in part.items():
            total[word] = total.get(word, 0) + n
    for word in sorted(total):
        print(f"{word:10s} {total[word]}")
else:
    comm.send(counts, dest=0, tag=8)
