"""Two processes call what all processes call together; each prints what the checks told it, {case: [[code, ...]]}."""

import contextlib
import json
import sys

import jax
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxmpi_lint.runtime.xla.checks import replicas
from jaxmpi_lint.runtime.xla.checks.environment_agreement import collect, compare
from jaxmpi_lint.runtime.xla.checks.values import Connection, Values
from jaxmpi_lint.runtime.xla.hosts.exchange import KeyValueStore

address, count, number, what = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
if what == "wrong":  # they would abort, hang or damage memory: the checks come before them
    for name in ("process_allgather", "broadcast_one_to_all"):
        setattr(multihost_utils, name, lambda tree, *arguments, **named: tree)

values = Values()
values.watch_jax(jax)
values.watch_multihost(multihost_utils)
process_allgather, broadcast_one_to_all = multihost_utils.process_allgather, multihost_utils.broadcast_one_to_all

jax.distributed.initialize(address, count, number)
client = jax._src.distributed.global_state.client
told, complaints, cases = [], [], {}
store = KeyValueStore(client, number)
values.connect(Connection(store, number, count, told.append, complaints.append))


def case(name, call):
    client.wait_at_barrier(f"before {name}", 60000)
    call()
    client.wait_at_barrier(f"after {name}", 60000)
    cases[name] = [
        [one.code, one.severity, one.message, [side.site.line for side in one.sides], one.sides[0].call] for one in told
    ]
    told.clear()


mesh = Mesh(np.array(jax.devices()), ("x",))
spread, same = NamedSharding(mesh, P("x")), NamedSharding(mesh, P())
other = number == 1


def made(data, sharding=spread, *shape):
    return jax.make_array_from_process_local_data(sharding, data, *shape)


def right():
    case("allgather", lambda: process_allgather({"a": np.ones(3), "b": 2.0}))
    case("mixed precision of the host", lambda: process_allgather(np.ones(3, np.float64 if other else np.float32)))
    case("broadcast", lambda: broadcast_one_to_all(np.full(3, number)))
    case("broadcast from 1", lambda: broadcast_one_to_all(np.full(3, number), is_source=other))
    case("hidden", lambda: jax.device_put(np.ones(4), same))
    case("names of devices", lambda: multihost_utils.sync_global_devices("here"))
    case("local data", lambda: [made(np.full(4, number + step)) for step in range(3)])
    case("of any shape", lambda: [made(np.ones((2, size))) for size in range(1, 4)])
    case("replicated", lambda: [made(np.full(4, step), same) for step in range(3)])
    case(
        "own devices",
        lambda: jax.make_array_from_callback(
            (2 + number,),
            NamedSharding(Mesh(np.array(jax.local_devices()), ("x",)), P()),
            lambda _: np.ones(2 + number),
        ),
    )
    case("on one process only", lambda: made(np.ones(4)) if other else None)
    assert replicas.checksums(jax.jit(lambda: jax.random.key(0), out_shardings=same)()) == {}
    surroundings = collect()
    store.publish("surroundings", json.dumps(surroundings))
    client.wait_at_barrier("surroundings", 60000)
    found = compare({process: json.loads(text) for process, text in store.read("surroundings").items()})
    cases["surroundings"] = [[one.code, one.severity, one.message, []] for one in found]
    cases["known"] = surroundings


def spread_to_all(size):
    with contextlib.suppress(Exception):  # of what stands for the broadcast here
        jax.device_put(np.ones(size), same)  # inside


def wrong():
    size = 3 + number
    case("shapes", lambda: process_allgather(np.ones(size)))
    case("types", lambda: process_allgather(np.ones(3, np.int32 if other else np.float32)))
    case("in a tree", lambda: process_allgather({"a": np.ones(3), "b": np.ones((2, size))}))
    case("number", lambda: broadcast_one_to_all(None if other else np.ones(3)))
    case("names", lambda: broadcast_one_to_all({"b" if other else "a": np.ones(3)}))
    case("broadcast", lambda: broadcast_one_to_all(np.ones(size)))
    case("sources", lambda: broadcast_one_to_all(np.ones(3), is_source=True))
    case("local data", lambda: made(np.ones(4 * (number + 1))))
    case("last batch", lambda: [made(np.ones(size)) for size in (8, 8, 4 if other else 8)])
    case("replicated", lambda: made(np.full(4, number), same))
    case("by callback", lambda: jax.make_array_from_callback((4,), same, lambda _: np.full(4, float(number))))
    case("inside", lambda: spread_to_all(size))
    case("given shape", lambda: made(np.ones(4), spread, (8,)))


def large():
    values.connect(Connection(store, number, count, told.append, complaints.append, largest_replica=8))
    case("larger", lambda: made(np.full(4, number, np.float32), same))
    case("small", lambda: made(np.full(2, number, np.float32), same))
    values.connect(Connection(store, number, count, told.append, complaints.append, largest_replica=0))
    case("off", lambda: made(np.full(1, number, np.float32), same))


def broken():
    class Failing(KeyValueStore):
        def publish(self, key, value):
            raise RuntimeError("UNAVAILABLE: the coordinator has gone\nand more")

    values.connect(Connection(Failing(client, number), number, count, told.append, complaints.append))
    case("goes on", lambda: broadcast_one_to_all(np.ones(3)))
    case("and is silent", lambda: broadcast_one_to_all(np.ones(3)))


if what == "wrong":
    wrong()
else:
    right()
    large()
    broken()
print(json.dumps({"cases": cases, "complaints": complaints}))
