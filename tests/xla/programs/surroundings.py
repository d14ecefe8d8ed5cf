"""Each process says what surrounds it, before and after there is a backend, and prints what it finds of all."""

import json
import sys

import jax
from jax._src import xla_bridge

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.checks.environment_agreement import announce, collect, compare, on_sets
from jaxmpi_lint.runtime.xla.hosts.exchange import KeyValueStore

address, count, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
jax.distributed.initialize(address, count, number)
client = jax._src.distributed.global_state.client
store = KeyValueStore(client, number)


def found(when):
    store.publish(when, json.dumps(collect()))
    client.wait_at_barrier(when, 60000)
    collected = {process: json.loads(text) for process, text in store.read(when).items()}
    return [[one.code, one.message] for one in compare(collected)], on_sets(collected)


before, note = found("before")
assert not xla_bridge.backends_are_initialized()
jax.config.update("jax_num_cpu_devices", 1 + number % 2)  # what a program may do until it has a backend
jax.devices()
after, _ = found("after")
told = [one.message for one in announce(store, count, "start", Site(__file__, 1, "main"))]
print(json.dumps({"before": before, "after": after, "note": note, "told": told}))
