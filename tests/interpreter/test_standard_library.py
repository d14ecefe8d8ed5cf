"""Worlds of programs that use the standard library: what is equal on all ranks, and what is not."""

from __future__ import annotations

import pytest

from interpreter.running import explored

HEADER = "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"

# The highest certainty of a fault, and the program.
PROGRAMS: dict[str, tuple[int, str]] = {
    "clock": (
        2,
        """\
import time
t0 = time.time()
if time.time() - t0 > 3:
    comm.barrier()
comm.barrier()
""",
    ),
    "datetime": (
        2,
        """\
from datetime import datetime
if datetime.now().minute > 3:
    comm.barrier()
""",
    ),
    "random unseeded": (
        2,
        """\
import random
if random.random() > 0.5:
    comm.barrier()
""",
    ),
    "random seeded": (
        0,
        """\
import random
random.seed(3)
if random.random() > 0.5:
    comm.barrier()
x = [1,2,3]
random.shuffle(x)
if x[0] == 2:
    comm.barrier()
""",
    ),
    "random by rank": (
        2,
        """\
import random
r = random.Random(10 + rank)
if r.randint(0, 3) == 1:
    comm.barrier()
""",
    ),
    "random same object": (
        0,
        """\
import random
r = random.Random(10)
if r.randint(0, 3) == 1:
    comm.barrier()
""",
    ),
    "environ rank": (
        3,
        """\
import os
me = int(os.environ["OMPI_COMM_WORLD_RANK"])
if me == 0:
    comm.barrier()
""",
    ),
    "environment": (
        0,
        """\
import os
if os.environ.get("DEBUG"):
    comm.barrier()
if "X" in os.environ:
    comm.barrier()
n = int(os.environ.get("N", "3"))
for i in range(n):
    comm.barrier()
os.environ["A"] = "1"
if os.environ["A"] == "2" and rank == 0:
    comm.barrier()
""",
    ),
    "host": (
        2,
        """\
import socket
if socket.gethostname() == "a":
    comm.barrier()
""",
    ),
    "path shared": (
        0,
        """\
import os
from pathlib import Path
d = os.path.join("out", "x")
if not os.path.exists(d):
    comm.barrier()
p = Path("a") / "b.txt"
if p.exists():
    comm.barrier()
if p.name == "c.txt" and rank == 0:
    comm.barrier()
if p.suffix != ".txt" and rank == 0:
    comm.barrier()
""",
    ),
    "path tmp": (
        2,
        """\
import os
if os.path.exists("/tmp/x"):
    comm.barrier()
""",
    ),
    "path by rank": (
        2,
        """\
import os
if os.path.exists(f"out_{rank}"):
    comm.barrier()
""",
    ),
    "listdir sorted": (
        0,
        """\
import os
for f in sorted(os.listdir("data")):
    comm.bcast(f, root=0)
names = os.listdir("data")
names.sort()
if names and names[0] == "x":
    comm.barrier()
for f in os.listdir("x"):
    if f.endswith(".h5"):
        comm.barrier()
""",
    ),
    "listdir order": (
        2,
        """\
import os
for f in os.listdir("data"):
    if f == "a":
        comm.barrier()
    else:
        comm.bcast(f, root=0)
""",
    ),
    "glob index": (
        2,
        """\
import glob
files = glob.glob("*.h5")
if files[0] == "a.h5":
    comm.barrier()
""",
    ),
    "set order": (
        2,
        """\
for name in {"a", "b"}:
    if name == "a":
        comm.barrier()
    else:
        comm.bcast(1, root=0)
""",
    ),
    "set sorted": (
        0,
        """\
for name in sorted({"a", "b"}):
    if name == "a":
        comm.barrier()
    else:
        comm.bcast(1, root=0)
for n in {1, 2, 3}:
    comm.bcast(n, root=n % size)
""",
    ),
    "hash": (
        2,
        """\
if hash("x") % 2:
    comm.barrier()
""",
    ),
    "file content": (
        0,
        """\
import json
with open("config.json") as f:
    cfg = json.load(f)
if cfg["debug"]:
    comm.barrier()
for line in open("x.txt"):
    a, b = line.split()
    if int(a) > 3:
        comm.barrier()
xs = [int(l) for l in open("x.txt")]
comm.scatter(xs, root=0)
""",
    ),
    "failure": (
        2,
        """\
try:
    data = open("x.txt").read()
    comm.barrier()
except OSError:
    print("failed")
""",
    ),
    "failure uniform value": (
        1,
        """\
try:
    data = int(open("x.txt").read())
except OSError:
    data = 0
if data:
    comm.barrier()
""",
    ),
    "failure exit": (
        0,
        """\
import sys
try:
    data = open("x.txt").read()
    comm.barrier()
except OSError:
    sys.exit(1)
""",
    ),
    "failure abort": (
        0,
        """\
try:
    data = open("x.txt").read()
    comm.barrier()
except OSError:
    comm.Abort(1)
""",
    ),
    "failure int of argv": (
        0,
        """\
import sys
try:
    n = int(sys.argv[1])
except (IndexError, ValueError):
    n = 3
for i in range(n):
    comm.barrier()
""",
    ),
    "hook": (
        0,
        """\
import sys
def stop(kind, value, trace):
    comm.Abort(1)
sys.excepthook = stop
if rank == 0:
    raise ValueError("x")
comm.barrier()
""",
    ),
    "no hook": (
        3,
        """\
if rank == 0:
    raise ValueError("x")
comm.barrier()
""",
    ),
    "argparse": (
        0,
        """\
import argparse
p = argparse.ArgumentParser()
p.add_argument("--n", type=int, default=3)
p.add_argument("--mode", choices=["a", "b"])
p.add_argument("--flag", action="store_true")
args = p.parse_args()
if args.flag:
    comm.barrier()
for i in range(args.n):
    comm.barrier()
if args.mode == "a":
    comm.barrier()
if args.mode is None:
    comm.barrier()
if vars(args)["flag"]:
    comm.barrier()
""",
    ),
    "argparse rank": (
        3,
        """\
import argparse
p = argparse.ArgumentParser()
p.add_argument("--flag", action="store_true")
args = p.parse_args()
if args.flag and rank == 0:
    comm.barrier()
""",
    ),
    "subcommands": (
        3,
        """\
import argparse
def a(args):
    comm.barrier()
def b(args):
    if rank == 0:
        comm.barrier()
p = argparse.ArgumentParser()
s = p.add_subparsers()
x = s.add_parser("a")
x.set_defaults(func=a)
y = s.add_parser("b")
y.set_defaults(func=b)
args = p.parse_args()
args.func(args)
""",
    ),
    "collections": (
        0,
        """\
from collections import Counter, namedtuple, deque, defaultdict, OrderedDict
c = Counter("aab")
P = namedtuple("P", "x y")
p = P(1, y=2)
q = p._replace(x=5)
d = deque([1, 2, 3], maxlen=2)
d.append(9)
a, b = p
dd = defaultdict(lambda: [])
dd["x"].append(1)
assert c["a"] == 2 and p.x == 1 and q.x == 5 and b == 2 and list(d) == [3, 9] and dd["x"] == [1]
if rank == 0:
    while d:
        d.popleft()
assert c.most_common(1)[0][0] == "a"
""",
    ),
    "itertools": (
        0,
        """\
import itertools, functools, operator
assert list(itertools.islice(itertools.count(3), 2)) == [3, 4]
assert list(itertools.islice(range(9), 1, 6, 2)) == [1, 3, 5]
assert list(itertools.islice(itertools.count(), 1, 6, 2)) == [1, 3, 5]
assert functools.reduce(operator.add, [1, 2, 3]) == 6
assert list(itertools.accumulate([1, 2])) == [1, 3]
assert list(itertools.chain.from_iterable([[1], [2]])) == [1, 2]
assert [k for k, g in itertools.groupby([1, 1, 2])] == [1, 2]
for a, b in zip(itertools.cycle([0, 1]), range(3)):
    comm.bcast(1, root=a)
assert list(itertools.takewhile(lambda x: x < 2, [1, 2, 1])) == [1]
""",
    ),
    "objects": (
        0,
        """\
class R:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        for i in range(self.n):
            comm.barrier()
            yield i
class N:
    def __init__(self):
        self.i = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.i += 1
        if self.i > 2:
            raise StopIteration
        return self.i
class G:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i * 2
assert list(R(2)) == [0, 1]
assert [x for x in N()] == [1, 2]
assert list(G()) == [0, 2, 4]
a, b = R(2)
for x in N():
    comm.barrier()
assert sum(x for x in R(3)) == 3
def g():
    yield 1
    yield 2
h = g()
assert [x + 1 for x in h] == [2, 3]
""",
    ),
    "objects rank": (
        3,
        """\
class R:
    def __init__(self, n):
        self.n = n
    def __iter__(self):
        return iter(range(self.n))
for x in R(rank):
    comm.barrier()
""",
    ),
    "properties": (
        0,
        """\
class P:
    def __init__(self, v):
        self.v = v
    @property
    def value(self):
        return self.v
ps = [P(1), P(2)]
assert [p.value for p in ps] == [1, 2]
assert sum(p.value for p in ps) == 3
""",
    ),
    "lambda default": (
        0,
        """\
def f():
    comm.barrier()
    return 3
g = lambda x=f(): x
assert g() == 3
""",
    ),
    "contexts": (
        0,
        """\
import contextlib, tempfile
with contextlib.suppress(KeyError):
    {}["x"]
with contextlib.nullcontext(3) as x:
    assert x == 3
class A:
    def close(self):
        comm.barrier()
with contextlib.closing(A()) as a:
    pass
with contextlib.ExitStack() as s:
    s.enter_context(contextlib.nullcontext())
    s.callback(comm.barrier)
with tempfile.TemporaryDirectory() as d:
    comm.barrier()
""",
    ),
    "dataclass": (
        0,
        """\
from dataclasses import dataclass, field, replace, asdict
@dataclass(frozen=True)
class C:
    a: int
    b: list = field(default_factory=list)
    c: int = field(default=4)
x = C(1)
y = replace(x, a=5)
assert y.a == 5 and x.c == 4 and asdict(x)["a"] == 1 and len(x.b) == 0
""",
    ),
    "enum": (
        0,
        """\
import enum
class E(enum.Enum):
    A = 1
    B = enum.auto()
assert E.A is E(1)
assert [e.name for e in E] == ["A", "B"]
assert E["A"] is E.A
""",
    ),
    "lru": (
        3,
        """\
import functools
@functools.lru_cache(maxsize=None)
def total(n):
    return comm.allreduce(n)
total(1)
total(1 if rank == 0 else 2)
""",
    ),
    "logging": (
        0,
        """\
import logging, warnings, traceback, sys
logging.basicConfig(level=logging.INFO)
log = logging.getLogger(__name__)
log.info("x %s", comm)
if log.isEnabledFor(logging.DEBUG):
    comm.barrier()
sys.stdout.write("x")
sys.stdout.flush()
warnings.warn("x")
if not log.handlers:
    comm.barrier()
""",
    ),
    "pool": (
        0,
        """\
from multiprocessing import Pool
from concurrent.futures import ThreadPoolExecutor
def f(x):
    return x + 1
with Pool(2) as p:
    r = p.map(f, [1, 2])
with ThreadPoolExecutor() as e:
    futures = [e.submit(f, i) for i in range(3)]
    out = [x.result() for x in futures]
assert out == [1, 2, 3]
""",
    ),
    "uuid": (
        2,
        """\
import uuid
if uuid.uuid4().hex < "a":
    comm.barrier()
""",
    ),
    "version": (
        0,
        """\
import sys
if sys.version_info[0] < 3:
    if rank == 0:
        comm.barrier()
if sys.version_info >= (3, 8):
    comm.barrier()
if len(sys.argv) > 1:
    comm.barrier()
for a in sys.argv[1:]:
    comm.barrier()
""",
    ),
    "strings": (
        0,
        """\
import sys
s = sys.argv[1]
t = str(s).upper()
if t.startswith("A"):
    comm.barrier()
u = "{} {}".format(s, rank)
v = ",".join([s, "b"])
w = f"{s}".format(1)
for x in v.split(","):
    comm.barrier()
if f"{s}".join(["a", "b"]) == "x":
    comm.barrier()
""",
    ),
    "config": (
        0,
        """\
import configparser
c = configparser.ConfigParser()
c.read("x.ini")
n = c.getint("a", "b")
if c["a"]["c"] == "yes":
    comm.barrier()
for i in range(n):
    comm.barrier()
""",
    ),
    "partialmethod": (
        0,
        """\
import functools
class A:
    def f(self, x, y):
        return x + y
    g = functools.partialmethod(f, 3)
assert A().g(4) == 7
""",
    ),
    "sleep loop": (
        0,
        """\
import os, time
while not os.path.exists("flag"):
    time.sleep(1)
comm.barrier()
""",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_values_of_one_process_part_ranks(name: str) -> None:
    certainty, text = PROGRAMS[name]
    results = explored(f"{HEADER}{text}print(rank)\n")
    assert results
    assert [cut.cut for one in results for cut in one.cuts] == []
    assert max((found.certainty for one in results for found in one.found), default=0) == certainty


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import threading\nthreading.Thread(target=comm.barrier).start()\n", "a thread of the program"),
        (
            "import threading\n\ndef run():\n    comm.send(1, dest=0)\n\nthreading.Thread(target=run).start()\n",
            "a thread of the program",
        ),
        ("import asyncio\n\nasync def main():\n    comm.barrier()\n\nasyncio.run(main())\n", "asynchronous code"),
    ],
)
def test_what_runs_beside_the_program_is_not_followed(text: str, reason: str) -> None:
    assert {cut.cut for one in explored(HEADER + text) for cut in one.cuts} == {reason}
