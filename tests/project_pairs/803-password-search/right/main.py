"""Finds a four letter password from its SHA-256 by trying all of them."""
import hashlib
import string
import time

from mpi4py import MPI

LETTERS = string.ascii_lowercase
LENGTH = 4
TARGET = hashlib.sha256(b"hugo").hexdigest()
BLOCK = 5000


def word(index):
    chars = []
    for _ in range(LENGTH):
        index, r = divmod(index, len(LETTERS))
        chars.append(LETTERS[r])
    return "".join(reversed(chars))


def try_range(first, last):
    for i in range(first, last):
        w = word(i)
        if hashlib.sha256(w.encode()).hexdigest() == TARGET:
            return w
    return None


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size

    total = len(LETTERS) ** LENGTH
    stride = BLOCK * size
    tried = 0
    found = None
    t0 = time.time()

    for base in range(0, total, stride):
        first = min(base + rank * BLOCK, total)
        last = min(first + BLOCK, total)
        found = try_range(first, last)
        tried += last - first

        answers = [w for w in comm.allgather(found) if w]
        if answers and rank == 0:
            print("hit in the round that starts at", word(base))
        if answers:
            break

    words = comm.gather(found, root=0)
    tried = comm.reduce(tried, op=MPI.SUM, root=0)
    if rank == 0:
        hits = [w for w in words if w is not None]
        print("password:", hits[0] if hits else "not found")
        print(f"{tried} of {total} words tried in {time.time() - t0:.2f} s")


if __name__ == "__main__":
    main()
