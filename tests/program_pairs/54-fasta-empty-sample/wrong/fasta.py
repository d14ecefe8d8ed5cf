from typing import Iterator, List, Tuple

Record = Tuple[str, str]


def read_fasta(path: str) -> Iterator[Record]:
    name, chunks = None, []
    with open(path) as fh:
        for line in fh:
            line = line.strip()
            if not line or line.startswith(";"):
                continue
            if line.startswith(">"):
                if name is not None:
                    yield name, "".join(chunks)
                name, chunks = line[1:].split()[0], []
            else:
                chunks.append(line.upper())
    if name is not None:
        yield name, "".join(chunks)


def good_records(path: str, min_len: int) -> List[Record]:
    return [(n, s) for n, s in read_fasta(path) if len(s) >= min_len]


def gc(seq: str) -> float:
    return (seq.count("G") + seq.count("C")) / len(seq)
