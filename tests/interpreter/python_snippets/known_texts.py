"""Patterns, formats, checksums and numbers in texts; types and keys."""

import bisect
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

name = "part-007_of-12.npz"
found = re.match(r"part-(\d+)_of-(\d+)", name)
show(found is not None, found.group(1), found.groups(), int(found[2]), found.start(), found.end(2))
show(re.search("x", name) is None, bool(re.fullmatch(r"part.*npz", name)), re.findall(r"\d+", name))
pattern = re.compile(r"(?P<key>\w+)=(?P<value>\d+)")
match = pattern.search("steps=40")
show(match.groupdict(), match.group("key"), pattern.sub(r"\g<value>", "steps=40"), re.split(r"[,;]", "a,b;c"))
show(re.sub("o", lambda one: one.group().upper(), "foo"), re.compile("a", re.IGNORECASE).match("A") is not None)
if (again := re.match(r"(\w)(\d)?", "a")) is not None:
    show(again.group(2), again.groups())
show(format(7, "03d"), format(2.5, ".2f"), format("a"), int("ff", 16), int("101", base=2), int("12"))
show(zlib.crc32(b"abc"), zlib.crc32(b"abc") % 4, bisect.bisect([1, 3, 5], 3), bisect.bisect_left([1, 3, 5], 3))
show(bytes([1, 2]), bytes(2), len(bytes(3)), complex(1, 2), dict.fromkeys("ab", 0), dict.fromkeys([]))
show(type(3) is int, type(True) is bool, type([]) is list, type("a") is str, type({}) is dict)
show(Path("a") / "b" == Path("a/b"), Path("a") == Path("b"), Path("a") != Path("a"), Path("a") == "a")


@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0


show(Version(1) < Version(2), Version(1, 5) >= Version(1, 4), sorted([Version(2), Version(1, 1)])[0].major)
show({Version(1): "a"}.get(Version(1)), {Version(1): "a"}.get(Version(2)), Version(1) in {Version(1), Version(3)})
show(max([Version(1), Version(3)], key=lambda one: one.major).major)


class Row(NamedTuple):
    key: str
    number: int = 0


row = Row("a", 3)
show(row[0], row[-1], row[:1], row._asdict(), row._replace(number=4).number, row < Row("b", 1), len(list(row)))
