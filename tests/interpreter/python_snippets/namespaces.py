"""The dicts of names and fields: what is written there reaches the module or the object."""

import argparse
import copy
from types import SimpleNamespace


class Config:
    def __init__(self):
        self.steps = 3


config = Config()
config.__dict__["steps"] = 4
vars(config)["rate"] = 0.5
show(config.steps, config.rate, dict(vars(config)))
config.__dict__.update(steps=5, name="run")
show(config.steps, config.name, hasattr(config, "name"))
config.__dict__.pop("rate")
show(hasattr(config, "rate"), sorted(config.__dict__))
delattr(config, "name")
show(hasattr(config, "name"))


class Shared:
    state = {}

    def __init__(self):
        self.__dict__ = self.state


Shared().count = 2
show(Shared().count)

parser = argparse.ArgumentParser()
parser.add_argument("--tag", type=int, default=0)
parser.add_argument("--name", default="a")
args = parser.parse_args([])
args.__dict__["tag"] = 9
show(args.tag)
vars(args).update({"tag": 10, "more": 1})
show(args.tag, args.more, vars(args)["tag"])
setattr(args, "tag", 11)
show(vars(args)["tag"])
space = SimpleNamespace(a=1)
space.__dict__["b"] = 2
show(space.a + space.b, dict(vars(space)))
other = copy.copy(space)
other.a = 7
show(space.a, copy.deepcopy(other).a, list(vars(other)))


def counted():
    return 1


counted.__dict__["calls"] = 3
show(counted.calls)

TAG = 1
globals()["TAG"] = 2
show(TAG)
globals().update({"TAG": 3, "LEVEL": 1})
show(TAG, LEVEL, "LEVEL" in globals(), "OTHER" in globals())
exec("TAG = 4")
show(TAG)
exec("TAG = 5\nLEVEL = [1, 2]")
show(TAG, LEVEL)
vars()["TAG"] = 6
show(TAG)


def changed():
    global TAG
    level = 1
    locals()["level"] = 2
    exec("level = 3")
    TAG = 8
    return level, globals()["TAG"]


show(changed())
held = {}
exec("x = 1; y = (x, 2)", held)
show(held["x"])
show(globals()["counted"]())
