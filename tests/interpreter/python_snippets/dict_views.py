"""Views of a dict show what it has when they are used; ordered dicts compare in order; frozen records."""

import copy
from collections import OrderedDict
from dataclasses import dataclass


table = {"a": 1, "b": 2}
keys, values, entries = table.keys(), table.values(), table.items()
table["c"] = 3
show(list(keys), list(values), len(entries), sorted(values), 3 in values)
show(keys == {"a", "b", "c"}, keys - {"a"} == {"b", "c"}, max(values), sum(values), [one for one in values])
del table["a"]
show(list(keys), dict(zip(keys, values, strict=True)), list(reversed(list(entries))))

ordered = OrderedDict(a=1, b=2)
show(ordered == OrderedDict(b=2, a=1), ordered == {"b": 2, "a": 1}, copy.copy(ordered) == ordered)
show(copy.deepcopy(ordered) == OrderedDict(b=2, a=1), ordered.copy() == OrderedDict(a=1, b=2))


class Holder:
    def __init__(self):
        self.table = {}
        self.view = self.table.values()

    def add(self, key, value):
        self.table[key] = value
        return sum(self.view)


holder = Holder()
show(holder.add("a", 3), holder.add("b", 4), len(holder.view))


@dataclass(frozen=True)
class Settings:
    steps: int
    name: str = "run"


@dataclass(frozen=True)
class Longer(Settings):
    def __post_init__(self):
        object.__setattr__(self, "steps", 2 * self.steps)


settings = Settings(3)
for change in ("direct", "setattr"):
    try:
        if change == "direct":
            settings.steps = 5
        else:
            setattr(settings, "steps", 5)  # noqa: B010
        show("changed")
    except AttributeError:
        show("frozen", settings.steps)
show(Longer(4).steps, (3).imag, (2.5).real, (6).to_bytes(2, "big")[1], (5).bit_count(), (2.0).is_integer())
