"""Properties and descriptors: what reading and assigning an attribute calls."""


class Doubled:
    def __init__(self):
        self.kept = 1

    @property
    def value(self):
        return self.kept

    @value.setter
    def value(self, given):
        self.kept = given * 2


class Counted:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return getattr(instance, self.name, 7)

    def __set__(self, instance, value):
        setattr(instance, self.name, value + 1)


class Holder:
    counted = Counted()
    fixed = property(lambda self: 5)

    def __init__(self):
        self.table = {}

    def __setitem__(self, key, value):
        self.table[key] = value

    def __getitem__(self, key):
        return self.table[key]


doubled = Doubled()
show(doubled.value)
doubled.value = 4
show(doubled.value)
doubled.value += 1
setattr(doubled, "value", doubled.value + 1)
show(doubled.value, doubled.kept)
holder = Holder()
show(holder.counted, holder.fixed)
holder.counted = 3
large = 1000
holder["a"] = large * large
show(holder.counted, holder["a"])
