"""Comparison of the processes' environments: versions, settings, flags, devices.

The environment is read when `jax.distributed.initialize` returns, which every process reaches at the same point of its
program. Reading never starts a backend, because a program may still choose its platform and number of devices.
Properties of the backend are compared at the first launch.

A difference is a warning: it is likely to make programs differ, but only a launch shows whether it does. Properties
that are per-process by design (host, visible GPUs, folders of dumps and caches) are not compared.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from jaxmpi_lint.runtime.findings import wording
from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.checks.launcher import launched
from jaxmpi_lint.runtime.xla.hosts.exchange import Exchange

NOT_SET = "not set"
RANDOM = "random"
HASH_SEED, FLAGS, PROCESSES, LAUNCHED = "hash seed", "XLA_FLAGS", "processes", "launched"
FILE, LINE, FUNCTION = "file", "line", "function"  # of the program, where the environment was published
_OF_ONE_PROCESS = ("--xla_dump", "--xla_force_host_platform_device_count", "--xla_gpu_per_fusion_autotune_cache_dir")
_SHOWN = 90


@dataclass(frozen=True, slots=True)
class Fact:
    """A property that must be equal in every process."""

    name: str
    what: str  # as the subject of a sentence: "the version of jax"
    consequence: str
    remedy: str
    harmless: bool = False  # often intended


_VERSION = "install the same versions for all processes (one lock file, one container)"
_SETTING = "set it in the program before `jax.distributed.initialize`, or export the same environment to every process"
_HARDWARE = "check which devices each process sees (CUDA_VISIBLE_DEVICES, the launcher's binding, the driver)"
FACTS = (
    Fact("jax", "the version of jax", "different versions trace different programs", _VERSION),
    Fact("jaxlib", "the version of jaxlib", "different versions compile to different collectives", _VERSION),
    Fact("python", "the version of Python", "library versions and the order of sets are likely to differ", _VERSION),
    Fact("jax_enable_x64", "jax_enable_x64", "arrays have 8 bytes per element in some processes and 4 in others: a "
         "collective aborts or reads out of bounds", _SETTING),
    Fact("jax_default_matmul_precision", "jax_default_matmul_precision", "products are rounded differently", _SETTING),
    Fact("jax_default_prng_impl", "jax_default_prng_impl", "equal keys give different numbers", _SETTING),
    Fact("jax_threefry_partitionable", "jax_threefry_partitionable", "equal keys give different numbers", _SETTING),
    Fact("jax_random_seed_offset", "jax_random_seed_offset", "equal seeds give different numbers", _SETTING),
    Fact("jax_numpy_dtype_promotion", "jax_numpy_dtype_promotion", "results have different dtypes", _SETTING),
    Fact("jax_disable_jit", "jax_disable_jit", "one launch in some processes is many launches in others", _SETTING),
    Fact("jax_debug_nans", "jax_debug_nans", "a process repeats operations one by one", _SETTING),
    Fact("jax_debug_infs", "jax_debug_infs", "a process repeats operations one by one", _SETTING),
    Fact("jax_use_shardy_partitioner", "jax_use_shardy_partitioner", "programs are partitioned differently", _SETTING),
    Fact("jax_cpu_collectives_implementation", "jax_cpu_collectives_implementation", "the processes cannot "
         "connect", _SETTING),
    Fact(FLAGS, "XLA_FLAGS", "XLA may combine or order collectives differently", _SETTING),
    Fact("platform", "the platform", "the processes compute on different platforms", _HARDWARE),
    Fact("local devices", "the number of local devices", "helpers like `process_allgather`, `broadcast_one_to_all` and "
         "`device_put` of host data assume equal numbers", _HARDWARE),
    Fact("device kind", "the kind of device", "XLA may choose different algorithms", _HARDWARE, harmless=True),
)  # fmt: skip
_SETTINGS = tuple(fact.name for fact in FACTS if fact.name.startswith("jax_"))


def collect(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The known environment of this process, as texts; call it after `jax.distributed.initialize` has returned."""
    import jax
    import jaxlib

    distributed = import_module("jax._src.distributed").global_state
    known = {
        "jax": str(jax.__version__),
        "jaxlib": str(jaxlib.__version__),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        FLAGS: " ".join(flags(environment.get("XLA_FLAGS", ""))),
        HASH_SEED: ("" if sys.flags.ignore_environment else environment.get("PYTHONHASHSEED", "")) or RANDOM,
        PROCESSES: str(distributed.num_processes),
        LAUNCHED: str(launched(environment) or NOT_SET),
    }
    values = jax.config.values
    known |= {name: str(_plain(values[name])) for name in _SETTINGS if name in values}
    return known | _devices(jax)


def announce(exchange: Exchange, processes: int, when: str, site: Site) -> tuple[Finding, ...]:
    """Publish the environment of this process; the differences if it is the last process to publish, else nothing.

    ``when`` names the occasion, the same in every process; ``site`` is the line that the process has reached.
    """
    key = f"surroundings/{when}"
    here = {FILE: site.file, LINE: str(site.line), FUNCTION: site.function}
    exchange.publish(key, json.dumps(collect() | here))
    if exchange.arrive(key) != processes:
        return ()
    return compare({process: json.loads(text) for process, text in exchange.read(key).items()})


def _plain(value: object) -> object:
    """The value of a setting; for a member of an enumeration, its value."""
    return getattr(value, "value", value)


def _devices(jax: Any) -> dict[str, str]:
    """The properties of the devices; empty unless a backend is running."""
    if not import_module("jax._src.xla_bridge").backends_are_initialized():
        return {}
    local = jax.local_devices()
    return {
        "platform": str(jax.default_backend()),
        "local devices": str(len(local)),
        "device kind": ", ".join(sorted({str(device.device_kind) for device in local})),
    }


def flags(text: str) -> list[str]:
    """The flags that affect compilation, sorted by name, the last of each name; without per-process ones."""
    named = {flag.partition("=")[0]: flag for flag in text.split()}
    return [named[name] for name in sorted(named) if not name.startswith(_OF_ONE_PROCESS)]


def compare(collected: Mapping[int, Mapping[str, str]]) -> tuple[Finding, ...]:
    """The differences between processes; a property is compared if at least two processes have it."""
    found = [finding for fact in FACTS if (finding := _compared(fact, collected)) is not None]
    return (*found, *_other_number(collected))


def on_sets(collected: Mapping[int, Mapping[str, str]]) -> str | None:
    """A note on hash seeds, for reports of launches in a different order."""
    seeds = [known[HASH_SEED] for known in collected.values() if HASH_SEED in known]
    if len(seeds) < 2 or (RANDOM not in seeds and len(set(seeds)) == 1):
        return None
    return (
        "the processes hash strings with different seeds, so the order of a loop over a set of strings differs between "
        "them; iterate over sorted(...), or export PYTHONHASHSEED=0"
    )


def _compared(fact: Fact, collected: Mapping[int, Mapping[str, str]]) -> Finding | None:
    said = {process: known[fact.name] for process, known in sorted(collected.items()) if fact.name in known}
    groups: dict[str, list[int]] = {}
    for process, value in said.items():
        groups.setdefault(value, []).append(process)
    if len(groups) < 2:
        return None
    shown = _telling(fact, groups)
    most = max(len(processes) for processes in groups.values())
    minority = sum(len(processes) == most for processes in groups.values()) == 1
    sides = tuple(
        Side(tuple(processes), f"{fact.name}: {shown[value]}", _site(collected[processes[0]]),
             "differs" if minority and len(processes) < most else "", minority and len(processes) < most)
        for value, processes in sorted(groups.items(), key=lambda group: (-len(group[1]), group[1]))
    )  # fmt: skip
    parts = [f"{shown[value]} on {wording.ranks(processes)}" for value, processes in groups.items()]
    told = "; ".join(parts[:4]) + ("; ..." if len(parts) > 4 else "")
    return Finding(
        "JS000" if fact.harmless else "JS504",
        f"{fact.what} differs: {told}",
        tuple(said),
        sides,
        notes=(fact.consequence,),
        remedy=fact.remedy,
        subject=fact.name,
    )


def _site(known: Mapping[str, str]) -> Site | None:
    """Where a process published its environment."""
    return Site(known[FILE], int(known[LINE]), known[FUNCTION]) if FILE in known else None


def _telling(fact: Fact, groups: Mapping[str, object]) -> dict[str, str]:
    """The displayed text of each value: of flags only those that differ."""
    if fact.name != FLAGS:
        return {value: value or NOT_SET for value in groups}
    common = set.intersection(*(set(value.split()) for value in groups))
    own = {value: " ".join(flag for flag in value.split() if flag not in common) for value in groups}
    return {
        value: (text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...") or "none" for value, text in own.items()
    }


def _other_number(collected: Mapping[int, Mapping[str, str]]) -> Iterator[Finding]:
    """A note if the launcher started a different number of processes than JAX has; this may be intended."""
    pairs = {(known.get(PROCESSES, ""), known.get(LAUNCHED, "")) for known in collected.values()}
    if len(pairs) != 1:
        return
    ((processes, started),) = pairs
    if not started.isdigit() or not processes.isdigit() or int(started) == int(processes):
        return
    yield Finding(
        "JS000",
        f"JAX runs with {wording.plural(int(processes), 'process')}, the launcher started {started}",
        tuple(sorted(collected)),
        notes=("correct if the other processes are not part of this job",),
        remedy="otherwise pass the launcher's number as `num_processes` to `jax.distributed.initialize`.",
    )
