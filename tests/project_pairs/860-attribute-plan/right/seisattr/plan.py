"""Which attributes have to be made, and in which order."""
from .registry import REGISTRY


def closure(requested):
    """The requested attributes and everything they are made from."""
    found = set()
    todo = list(requested)
    while todo:
        name = todo.pop()
        if name not in REGISTRY:
            raise KeyError(f"unknown attribute {name!r}")
        if name not in found:
            found.add(name)
            todo.extend(REGISTRY[name].needs)
    return found


def make_plan(requested):
    """Attributes in an order in which they can be computed."""
    return sorted((REGISTRY[name] for name in closure(requested)),
                  key=lambda attr: (attr.level, attr.name))
