"""Where the words come from: each rank reads the documents of its own shelf."""
from itertools import islice

VERSES = """the cat sat on the mat
a dog ran over the hill and the cat ran too
night fell on the hill
the owl said nothing and the dog said less
mat and hill and owl
one more line about a cat
nothing ran""".splitlines()


def words(lines):
    for line in lines:
        yield from line.split()


def shelf(rank, size):
    return islice(VERSES, rank, None, size)
