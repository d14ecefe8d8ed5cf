"""Reading and parsing of the station log (one reading per line)."""
import math


def load(count):
    out = []
    for i in range(count):
        t = 600 * i
        temp = 12.0 + 6.0 * math.sin(i / 23.0)
        if i == 201:
            out.append(f"{t};ST04;n/a")
        else:
            out.append(f"{t};ST{i % 7:02d};{temp:.3f}")
    return out


def parse(line):
    fields = line.strip().split(";")
    if len(fields) != 3:
        raise ValueError(f"expected 3 fields: {line!r}")
    return float(fields[2])
