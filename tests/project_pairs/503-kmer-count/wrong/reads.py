"""Synthetic FASTQ-like reads and their parser."""
import random

BASES = "ACGT"


class ParseError(ValueError):
    pass


def make_records(n, length, seed, bad_every=0):
    rng = random.Random(seed)
    genome = "".join(rng.choice(BASES) for _ in range(4 * length))
    lines = []
    for i in range(n):
        s = rng.randrange(len(genome) - length)
        seq = genome[s:s + length]
        qual = "I" * length
        if bad_every and (i + 1) % bad_every == 0:
            qual = qual[: length // 2]
        lines += [f"@read{i}", seq, "+", qual]
    return lines


def parse(lines):
    if len(lines) % 4:
        raise ParseError("truncated record at end of chunk")
    for i in range(0, len(lines), 4):
        name, seq, plus, qual = lines[i:i + 4]
        if not name.startswith("@") or plus != "+":
            raise ParseError(f"malformed header near {name!r}")
        if len(seq) != len(qual):
            raise ParseError(f"{name[1:]}: {len(seq)} bases but {len(qual)} qualities")
        yield name[1:], seq, qual
