from collections import Counter
from operator import add, itemgetter

from mpi4py import MPI

from corpus import VERSES, shelf, words
from table import ShardedTable


def lookup(table, key, default=None):
    try:
        return table[key]
    except KeyError:
        return default


def main():
    comm = MPI.COMM_WORLD
    expected = Counter(words(VERSES))

    counts = ShardedTable(comm, combine=add)
    for word in words(shelf(comm.rank, comm.size)):
        counts[word] = 1
    assert not counts
    counts.flush()

    assert len(counts) == len(expected)
    listing = list(counts)
    assert listing == sorted(expected)
    assert {w: counts[w] for w in listing} == expected
    assert "cat" in counts and "zebra" not in counts
    assert lookup(counts, "zebra", -1) == -1

    top = max(counts.items(), key=itemgetter(1))
    assert top == expected.most_common(1)[0]

    for word in {"owl", "mat", "night"} & set(listing):
        if counts.owner(word) == comm.rank:
            assert counts.data[word] == expected[word]
    for word in sorted({"owl", "mat", "night", "yeti"}):
        try:
            del counts[word]
        except KeyError:
            assert word == "yeti"
    assert len(counts) == len(expected) - 3

    lengths = ShardedTable(comm, combine=lambda old, new: sorted({*old, *new}))
    for word, n in counts.local_items():
        lengths[len(word)] = [word]
    lengths.flush()
    report = {size: len(lengths[size]) for size in lengths}
    assert report == Counter(len(w) for w in expected.keys() - {"owl", "mat", "night"})
    if comm.rank == 0:
        print(top, report)


if __name__ == "__main__":
    main()
