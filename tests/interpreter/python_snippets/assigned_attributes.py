"""Classes that decide how attributes are assigned."""


class Checked:
    names = ("step", "rate")

    def __init__(self):
        self.step = 0

    def __setattr__(self, name, value):
        if name not in self.names:
            raise AttributeError(name)
        super().__setattr__(name, value * 2 if name == "rate" else value)


class Recorded:
    def __init__(self):
        object.__setattr__(self, "log", [])

    def __setattr__(self, name, value):
        self.log.append(name)
        self.__dict__[name] = value


class Derived(Checked):
    names = ("step", "rate", "more")

    def __init__(self, more):
        super().__init__()
        self.more = more


class Switch:
    def __setattr__(self, name, value):
        if name == "mode" and hasattr(self, "mode"):
            value = (self.mode, value)
        super().__setattr__(name, value)

    @property
    def doubled(self):
        return self.kept * 2

    @doubled.setter
    def doubled(self, value):
        self.kept = value // 2


checked = Checked()
checked.step = 3
checked.rate = 4
show(checked.step, checked.rate)
try:
    checked.other = 1
except AttributeError as error:
    show(str(error))
recorded = Recorded()
recorded.a = 1
recorded.b = 2
recorded.a += 1
setattr(recorded, "c", 5)
show(recorded.log, recorded.a, recorded.b, recorded.c)
show(Derived(7).more, Derived(7).step)
switch = Switch()
switch.mode = "x"
switch.mode = "y"
switch.doubled = 10
show(switch.mode, switch.kept, switch.doubled)
