"""A check for NVIDIA GPU support that starts neither a JAX backend nor a GPU."""

from __future__ import annotations

import importlib.util
import pkgutil
from importlib.metadata import entry_points

from jaxmpi_lint.runtime.collectives import native

GROUP = "jax_plugins"  # the package and entry-point group in which JAX finds its backends


def is_usable() -> bool:
    """Whether JAX has a CUDA backend and the driver provides what the handlers need."""
    return _has_plugin() and not native.LIBRARY.jaxmpi_missing_driver()


def _has_plugin() -> bool:
    package = importlib.util.find_spec(GROUP)
    places = list(package.submodule_search_locations or ()) if package is not None else []
    names = [module.name for module in pkgutil.iter_modules(places)]
    names += [entry.name for entry in entry_points(group=GROUP)]
    return any("cuda" in name for name in names)
