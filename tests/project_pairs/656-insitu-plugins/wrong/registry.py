"""Registry of in-situ diagnostics. A plugin maps (comm, field) to a number."""
import importlib

_PLUGINS = {}


def diagnostic(name, requires=()):
    def wrap(func):
        if name in _PLUGINS:
            raise KeyError(f"diagnostic {name!r} registered twice")
        _PLUGINS[name] = (func, tuple(requires))
        return func

    return wrap


def load(module):
    importlib.import_module(module)


def resolve(names):
    """Names of the requested diagnostics and of all they require."""
    todo, found = list(names), set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(_PLUGINS[name][1])
    return list(found)


def get(name):
    return _PLUGINS[name][0]
