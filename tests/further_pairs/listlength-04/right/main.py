"""Score a set of documents in parallel."""

from mpi4py import MPI

N_DOCUMENTS = 25


def read_documents():
    words = "alpha beta gamma delta epsilon".split()
    return [" ".join(words[(k + j) % 5] for j in range(k % 7 + 1)) for k in range(N_DOCUMENTS)]


def chunked(items, parts):
    edges = [k * len(items) // parts for k in range(parts + 1)]
    return [items[a:b] for a, b in zip(edges, edges[1:])]


def score(document):
    return sum(len(word) for word in document.split()) / (1 + document.count("a"))


def main():
    world = MPI.COMM_WORLD
    chunks = chunked(read_documents(), world.size) if world.rank == 0 else None
    documents = world.scatter(chunks, root=0)
    scores = world.gather([score(d) for d in documents], root=0)
    if world.rank == 0:
        flat = [s for part in scores for s in part]
        print(f"{len(flat)} documents, best {max(flat):.3f}, sum {sum(flat):.4f}")


if __name__ == "__main__":
    main()
