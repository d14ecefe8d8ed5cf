"""Classes derived from containers of the standard library, and from its abstract ones."""

import copy
from collections import Counter, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence


class Table(dict):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        self.reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)

    def __missing__(self, key):
        return key * 2

    def add(self, key, value):
        self[key] = value
        return len(self)


table = Table({"a": 1}, b=2)
show(len(table), table["a"], table["b"], table.reads, table.add("c", 3))
show(sorted(table), "c" in table, "d" in table, table.get("d", 9), table["dd"])
del table["a"]
show(list(table.items()), table == {"b": 2, "c": 3}, bool(table), bool(Table()), dict(table))
table.update(e=5)
table |= {"f": 6}
show(sorted(table.values()), isinstance(table, dict), isinstance(table, list), {**table}, table.pop("e"))


class Bag(list):
    def put(self, item):
        self.append(item)
        return self


bag = Bag([1]).put(2)
bag += [3]
bag.extend([4, 5])
show(len(bag), bag[0], bag[-1], bag[1:3], 4 in bag, list(reversed(bag)), sum(bag), bag == [1, 2, 3, 4, 5])
bag[0] = 10
show(bag.pop(), sorted(bag), bag.index(3), [item * 2 for item in bag], bag + [7], isinstance(bag, Sequence))


class Shelf(UserDict):
    def __setitem__(self, key, item):
        super().__setitem__(str(key), item)


shelf = Shelf()
shelf[1] = "one"
show(shelf["1"], len(shelf), list(shelf), shelf.data)


class Row(UserList):
    pass


row = Row([3, 1])
row.append(2)
show(len(row), row[0], sorted(row), row.data)


class Groups(defaultdict):
    def __init__(self):
        super().__init__(list)


groups = Groups()
groups["x"].append(1)
groups["x"].append(2)
show(groups["x"], "y" in groups, len(groups), isinstance(groups, dict))


class Votes(Counter):
    def winner(self):
        return self.most_common(1)[0][0]


votes = Votes(["a", "b", "a"])
show(votes["a"], votes["z"], votes.winner())


class Recent(deque):
    def __init__(self):
        super().__init__(maxlen=2)


recent = Recent()
for number in range(4):
    recent.append(number)
show(list(recent), len(recent), recent[0], recent.maxlen)


class Ordered(OrderedDict):
    pass


ordered = Ordered()
ordered["k"] = 1
show(list(ordered), isinstance(ordered, Mapping))


class Names(set):
    def note(self, name):
        self.add(name)
        return name in self


names = Names()
show(names.note(1), len(names), 2 in names, sorted(names | {3}), sorted(names))


class Frozen(Mapping):
    def __init__(self, data):
        self._data = data

    def __getitem__(self, key):
        return self._data[key]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)


frozen = Frozen({"a": 1, "b": 2})
show(list(frozen.items()), list(frozen.keys()), list(frozen.values()), frozen.get("a"), frozen.get("z", 5))
show("a" in frozen, "z" in frozen, len(frozen), bool(frozen))


class Store(MutableMapping):
    def __init__(self):
        self._data = {}

    def __getitem__(self, key):
        return self._data[key]

    def __setitem__(self, key, value):
        self._data[key] = value

    def __delitem__(self, key):
        del self._data[key]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)


store = Store()
store.update({"a": 1}, b=2)
show(store.setdefault("c", 3), store.setdefault("a", 9), store.pop("b"), store.pop("b", None), sorted(store))
store.clear()
show(len(store), list(store))


class Window(Sequence):
    def __init__(self, items):
        self._items = items

    def __getitem__(self, index):
        return self._items[index]

    def __len__(self):
        return len(self._items)


window = Window([4, 5, 6])
show(list(window), 5 in window, 7 in window, window.index(6), window.count(4), window[-1])


class Chain(MutableSequence):
    def __init__(self):
        self._items = []

    def __getitem__(self, index):
        return self._items[index]

    def __setitem__(self, index, value):
        self._items[index] = value

    def __delitem__(self, index):
        del self._items[index]

    def __len__(self):
        return len(self._items)

    def insert(self, index, value):
        self._items.insert(index, value)


chain = Chain()
chain.append(1)
chain.extend([2, 3])
chain += [4]
show(list(chain), len(chain), 3 in chain)


class Down(Iterator):
    def __init__(self, start):
        self.left = start

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


show(list(Down(3)), sum(Down(4)))
first = Table({"a": 1})
second = copy.copy(first)
third = copy.deepcopy(first)
second["b"] = 2
third["c"] = 3
show(sorted(first), sorted(second), sorted(third))
