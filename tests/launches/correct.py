"""Correct programs of several JAX processes, unusual ones among them: nothing is to be said of any."""

from __future__ import annotations

PROGRAMS = {
    "some go on among themselves": (4, """\
pair = jax.sharding.Mesh(np.array(jax.devices()[:2]), ("x",))
x = spread(np.arange(4.0) + rank)
print(float(x.sum()), flush=True)
if rank < 2:
    local = jax.device_put(np.arange(2.0), jax.local_devices()[0])
    mine = jax.make_array_from_single_device_arrays((4,), NamedSharding(pair, P("x")), [local])
    total = jax.jit(lambda x: x.sum())
    for _ in range(200):
        y = total(mine)
    import time
    time.sleep(1.5)
    print(float(total(mine)), flush=True)
"""),
    "groups within processes": (2, """\
jax.config.update("jax_num_cpu_devices", 2)
devices = np.array(jax.devices()).reshape(size, 2)
mesh = jax.sharding.Mesh(devices, ("process", "local"))
both = NamedSharding(mesh, P(("process", "local")))
shards = [jax.device_put(np.arange(2.0) + rank, device) for device in jax.local_devices()]
x = jax.make_array_from_single_device_arrays((4 * size,), both, shards)
local = jax.jit(jax.shard_map(lambda x: jax.lax.psum(x, "local"), mesh=mesh, in_specs=P(("process", "local")),
                              out_specs=P("process")))
for _ in range(3 + rank):
    y = local(x)
print([float(one.data[0]) for one in y.addressable_shards], float(x.sum()), flush=True)
"""),
    "leaves by sys.exit": (2, """\
import sys
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
sys.exit(0)
"""),
    "host work after the last launch": (2, """\
import time
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
time.sleep(3 * rank)
"""),
    "shutdown by hand": (2, """\
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
jax.distributed.shutdown()
"""),
    "threads that take turns": (2, """\
import threading
x = spread(np.arange(4.0))
total = jax.jit(lambda x: x.sum())
for _ in range(5):
    thread = threading.Thread(target=lambda: print(float(total(x)), flush=True))
    thread.start()
    thread.join()
"""),
    "a child process": (2, """\
import subprocess, sys
x = spread(np.arange(4.0))
print(float(x.sum()), flush=True)
subprocess.run([sys.executable, "-c", "import jax; jax.numpy.ones(3).sum()"], check=True)
print(float(x.sum()), flush=True)
"""),
    "two meshes in turns": (4, """\
other = jax.sharding.Mesh(np.array(jax.devices())[::-1], ("x",))
x = spread(np.arange(4.0) + rank)
o = NamedSharding(other, P("x"))
y = jax.make_array_from_single_device_arrays((16,), o, [jax.device_put(np.arange(4.0), jax.local_devices()[0])])
f = jax.jit(lambda x: x.sum())
for i in range(20):
    a = f(x); b = f(y)
print(float(a), float(b))
"""),
    "pairs of processes in an order of their own": (4, """\
def pair(a, b):
    m = jax.sharding.Mesh(np.array([jax.devices()[a], jax.devices()[b]]), ("x",))
    s = NamedSharding(m, P("x"))
    return jax.make_array_from_single_device_arrays((4,), s, [jax.device_put(np.arange(2.0), jax.local_devices()[0])])
f = jax.jit(lambda x: x.sum())
partner = rank ^ 1
x = pair(min(rank, partner), max(rank, partner))
other = rank ^ 2
y = pair(min(rank, other), max(rank, other))
for i in range(10 + 5 * (rank // 2)):
    a = float(f(x))
for i in range(7 + 3 * (rank % 2)):
    b = float(f(y))
print(a, b)
"""),
    "local programs that differ, evaluation by one process": (2, """\
x = spread(np.arange(4.0) + rank)
local = jax.jit(lambda v: v * (rank + 2))
f = jax.jit(lambda x: (x * 2).sum())
for i in range(30):
    t = f(x)
    for _ in range(rank + 1):
        l = local(np.ones(3))
    if jax.process_index() == 0:
        loss = float(t)
        ev = jax.jit(lambda v: (v ** 2).mean())(x.addressable_shards[0].data)
        q = float(jax.numpy.linalg.norm(jax.numpy.ones(5)))
print(float(t))
"""),
    "donated": (2, """\
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: jax.lax.with_sharding_constraint(x + x.sum(), split), donate_argnums=0)
for i in range(50):
    x = f(x / 1e3)
print(x.shape)
"""),
    "caches cleared by one process": (2, """\
x = spread(np.arange(4.0) + rank)
def g(x): return jax.nn.softmax(jax.numpy.where(x > 0, x, -x)).sum() + jax.numpy.where(x > 1, x, -x).sum()
f = jax.jit(g)
for i in range(10):
    t = f(x)
    if rank == 0 and i % 3 == 0:
        jax.clear_caches()
print(float(t))
"""),
    "caches cleared by one process while it traces": (2, """\
x = spread(np.arange(4.0) + rank)
def inner(x): return jax.numpy.where(x > 0, x, -x)
def g(x):
    y = inner(x)
    if rank == 0: jax.clear_caches()
    return (inner(y) + jax.nn.relu(y)).sum()
f = jax.jit(g)
print(float(f(x)))
"""),
    "traced again by one process": (2, """\
x = spread(np.arange(4.0) + rank)
def g(x): return jax.nn.softmax(x).sum()
f = jax.jit(g)
for i in range(10):
    if rank == 1: f = jax.jit(lambda x: jax.nn.softmax(x).sum())
    t = f(x)
print(float(t))
"""),
    "a pool of one thread": (2, """\
from concurrent.futures import ThreadPoolExecutor
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: x.sum())
with ThreadPoolExecutor(1) as pool:
    futures = [pool.submit(f, x + i) for i in range(20)]
    print([float(t.result()) for t in futures][-1])
"""),
    "debug print, callbacks, checkify": (2, """\
from jax.experimental import checkify, io_callback
x = spread(np.arange(4.0) + rank)
seen = []
def g(x):
    jax.debug.print("sum {}", x.sum())
    jax.debug.callback(lambda v: seen.append(v), x.sum())
    return x.sum()
f = jax.jit(g)
for i in range(4): t = f(x)
jax.effects_barrier()
def h(x):
    checkify.check(x.sum() < 1e9, "too large")
    return jax.numpy.log(jax.numpy.abs(x) + 1).sum()
c = jax.jit(checkify.checkify(h))
err, out = c(x)
err.throw()
z = jax.jit(lambda x: jax.pure_callback(lambda v: np.float32(v), jax.ShapeDtypeStruct((), np.float32), x.sum()))(x)
print(float(out))
"""),
    "callbacks registered in other numbers": (2, """\
x = spread(np.arange(4.0) + rank)
for i in range(3 * rank):
    jax.jit(lambda v: jax.pure_callback(lambda w: w, jax.ShapeDtypeStruct((), np.float32), v))(np.float32(i))
def g(x):
    jax.debug.callback(lambda v: None, x.sum())
    return x.sum()
print(float(jax.jit(g)(x)))
"""),
    "other lines of other files": (2, """\
import types
x = spread(np.arange(4.0) + rank)
source = "\\n" * (rank * 10) + "def g(x):\\n    return jax.numpy.tanh(x).sum()\\n"
space = {"jax": jax}
exec(compile(source, "/tmp/some%d/g.py" % rank, "exec"), space)
f = jax.jit(space["g"])
for i in range(5): t = f(x)
print(float(t))
"""),
    "full tracebacks in one process": (2, """\
x = spread(np.arange(4.0) + rank)
jax.config.update("jax_include_full_tracebacks_in_locations", rank == 0)
f = jax.jit(lambda x: jax.numpy.tanh(x).sum())
for i in range(5): t = f(x)
print(float(t))
"""),
    "other names of functions": (2, """\
x = spread(np.arange(4.0) + rank)
def a(x): return x.sum()
def b(x): return x.sum()
f = jax.jit(a if rank else b)
print(float(f(x)))
"""),
    "os._exit(0) at the end": (2, """\
x = spread(np.arange(4.0) + rank)
print(float(x.sum()), flush=True)
multihost_utils.sync_global_devices("end")
if rank == 0:
    import time; time.sleep(1)
os._exit(0)
"""),
    "leaves without awaiting a result": (2, """\
import time
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: x.sum())
for _ in range(100): t = f(x)
if rank == 0:
    time.sleep(2); print(float(t))
"""),
    "a child by fork that exits": (2, """\
x = spread(np.arange(4.0) + rank)
t = x.sum()
pid = os.fork()
if pid == 0: os._exit(3)
os.waitpid(pid, 0)
print(float(x.sum()))
"""),
    "threads that compile": (2, """\
import threading
x = spread(np.arange(4.0) + rank)
fs = [jax.jit(lambda x, k=k: (x * k).sum()) for k in range(6)]
ts = [threading.Thread(target=lambda f=f: f.lower(x).compile()) for f in fs]
[t.start() for t in ts]; [t.join() for t in ts]
print([float(f(x)) for f in fs])
"""),
    "profiled by one process": (2, """\
import tempfile
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: x.sum())
if rank == 0: jax.profiler.start_trace(tempfile.mkdtemp())
for i in range(10):
    with jax.profiler.TraceAnnotation("a"): t = f(x)
if rank == 0: jax.profiler.stop_trace()
print(float(t))
"""),
    "two programs that are compiled to one": (2, """\
x = spread(np.arange(4.0) + rank)
fs = [jax.jit(lambda x, k=k: ((x * k) if k else x).sum()) for k in (None, 1.0)]
cs = [f.lower(x).compile() for f in fs] if rank else None
if rank:
    for c in cs: t = c(x)
else:
    for f in fs: t = f.lower(x).compile()(x)
print(float(t))
"""),
    "a compilation cache that only one process finds filled": (2, """\
x = spread(np.arange(4.0) + rank)
folder = os.path.abspath("cache%d" % rank)
jax.config.update("jax_compilation_cache_dir", folder)
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
from jax._src import monitoring
events = []
monitoring.register_event_listener(lambda name, **k: events.append(name))
def g(x): return jax.nn.softmax(jax.numpy.sin(x)).sum() + x.mean()
t = jax.jit(g)(x)
def here(n):
    text = "\\n" * n + "lambda x: jax.nn.softmax(jax.numpy.sin(x)).sum() + x.mean()"
    return eval(compile(text, f"file{n}.py", "eval"), {"jax": jax})
t = jax.jit(here(1))(x)
jax.clear_caches()
t = jax.jit(here(9 + rank))(x)
t = jax.jit(g)(x)
t = jax.jit(g)(x + 1)
print(float(t), len([one for one in events if "cache_hits" in one]))
"""),
    "multihost helpers": (2, """\
x = spread(np.arange(4.0) + rank)
a = multihost_utils.process_allgather(np.ones((2, 3)) * rank)
b = multihost_utils.process_allgather({"a": np.ones(3), "b": 2.0 + rank})
c = multihost_utils.broadcast_one_to_all({"k": np.arange(3) * (rank + 1)})
d = multihost_utils.process_allgather(x, tiled=True)
multihost_utils.assert_equal(np.ones(3), "not equal")
e = multihost_utils.host_local_array_to_global_array(np.arange(4.0), mesh, P("x"))
g = multihost_utils.global_array_to_host_local_array(e, mesh, P("x"))
multihost_utils.sync_global_devices("a")
h = multihost_utils.process_allgather(np.arange(3 if rank else 3))
k = jax.make_array_from_callback((4,), split, lambda i: np.arange(4.0)[i])
print(a.shape, jax.tree.map(np.shape, b), c, d.shape, g.shape, float(k.sum()))
"""),
    "a KeyboardInterrupt that is caught": (2, """\
import signal
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: x.sum())
for i in range(10):
    try:
        if i == 5: os.kill(os.getpid(), signal.SIGINT); import time; time.sleep(1)
    except KeyboardInterrupt:
        pass
    t = f(x)
print(float(t))
"""),
    "exceptions that are caught": (2, """\
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: x.sum())
try:
    raise ValueError("caught") if rank else KeyError()
except (ValueError, KeyError): pass
try: jax.jit(lambda x: x.reshape(7))(x)
except TypeError: pass
t = f(x)
import sys
try: sys.exit(0)
except SystemExit: pass
print(float(f(x)))
"""),
    "driven by pytest": (2, """\
open("test_it%d.py" % rank, "w").write('''
import jax, numpy as np, pytest
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
@pytest.fixture
def x():
    s = NamedSharding(mesh, P("x"))
    return jax.make_array_from_process_local_data(s, np.arange(4.0))
def test_sum(x):
    assert float(x.sum()) == 12
@pytest.mark.parametrize("n", [1, 2])
def test_power(x, n):
    assert float(jax.jit(lambda x: (x**n).sum())(x)) > 0
def test_fails_as_expected(x):
    with pytest.raises(ZeroDivisionError):
        1 / 0
''')
import pytest, sys
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "test_it%d.py" % rank]))
"""),
    "shut down and go on alone": (2, """\
x = spread(np.arange(4.0) + rank)
print(float(x.sum()), flush=True)
multihost_utils.sync_global_devices("end")
jax.distributed.shutdown()
if rank == 0:
    import time; time.sleep(1.5)
    print(float(jax.jit(lambda v: v.sum())(np.ones(3))))
"""),
    "random numbers of each process": (2, """\
x = spread(np.arange(4.0) + rank)
key = jax.random.key(rank)
noise = jax.random.normal(key, (4,))
y = jax.make_array_from_single_device_arrays((8,), split, [noise])
key2 = jax.random.key(0)
f = jax.jit(lambda k, x: (x + jax.random.normal(k, x.shape)).sum())
for i in range(5):
    key2, sub = jax.random.split(key2)
    t = f(sub, y)
print(float(t))
"""),
    "loops and branches": (2, """\
x = spread(np.arange(4.0) + rank)
f = jax.jit(lambda x: jax.lax.while_loop(lambda s: s.sum() < 1000, lambda s: s * 1.5, x))
g = jax.jit(lambda x: jax.lax.scan(lambda c, _: (c + x.sum(), c.mean()), jax.numpy.float32(0), None, length=5))
h = jax.jit(lambda x: jax.lax.cond(x.sum() > 3, lambda x: x.sum(), lambda x: x.max(), x))
for i in range(3): a, b, c = f(x), g(x), h(x)
print(a.shape, float(b[0]), float(c))
"""),
    "loops over sets": (2, """\
arrays = {name: spread(np.full(2, float(place))) for place, name in enumerate("abcdefgh")}
names, x, local = {*arrays}, spread(np.arange(4.0)), {name: jax.numpy.full(2, 1.0) for name in "abcdefgh"}
def f(): return jax.jit(lambda x, label=None: x.sum(), static_argnames="label")
one, two, three, four, five, six, seven, eight, nine, ten = (f() for _ in range(10))
for name in sorted(names): a = one(arrays[name])
filled = {name: arrays[name] for name in names}
for name in sorted(filled): a = two(filled[name])
for name in names: b, c = three(x), four(x, label=name)
same = dict.fromkeys(names, x)
for name in names: c = five(same[name])
numbers = {place: array for place, array in enumerate(arrays.values())}
for number in {*numbers}: d = six(numbers[number])
own = {f"{rank}-{place}": array for place, array in enumerate(arrays.values())}
for name in {*own} - {key for key in own if key[-1] != "3"}: e = seven(own[name])
for name in names: g = eight(jax.numpy.zeros_like(arrays[name]))
everything = jax.jit(lambda tree: sum(jax.tree.leaves(jax.tree.map(jax.numpy.sum, tree))))
for name in names: h = everything(arrays)
def labelled(array, name): return nine(array)
for name in names: i = labelled(x, name)
order = list(names)
order.sort()
for name in order: j = ten(arrays[name])
for name in names: k = jax.jit(lambda v: v * 2)(local[name])
print(float(a), float(b), float(c), float(d), float(e), float(g), float(h), float(i), float(j))
"""),
    "some never launch": (4, """\
pair = jax.sharding.Mesh(np.array(jax.devices()[1:3]), ("x",))
s = NamedSharding(pair, P("x"))
if rank in (1, 2):
    y = jax.make_array_from_single_device_arrays((4,), s, [jax.device_put(np.arange(2.0), jax.local_devices()[0])])
    for _ in range(10): t = jax.jit(lambda x: x.sum())(y)
    print(float(t))
"""),
}  # fmt: skip
