"""Lists, dicts, sets and deques."""

import collections
import random

values = [1, 2, 3, 1]
show(values.index(1, 1), values.count(1), values[::-1], 3 in values, sorted(values, reverse=True))
alias = values
values *= 2
values[1:2] += [7]
show(values, alias is values)
table = {"a": 1, "b": 2}
show(table.keys() == {"a", "b"}, table.keys() - {"a"}, table.keys() & {"b", "c"}, table.items() >= {("a", 1)})
show(list(table), table.popitem(), table, dict([("x", 1)]), {**table, "z": 3})
last = collections.deque([1, 2, 3], maxlen=2)
last.append(4)
show(list(last), list(reversed(last)), last.maxlen)
counts = collections.Counter("aab")
counts.update(a=1)
show(counts["a"], counts["z"], counts.most_common(1), sum(counts.values()))
ordered = collections.OrderedDict([("a", 1), ("b", 2)])
ordered.move_to_end("a")
show(list(ordered), {1, 2} <= {1, 2, 3}, {1, 2} | {3}, {1, 2}.isdisjoint([3]), len({1, 1, 2}))
show(len(random.sample([1, 2, 3], k=2)), len(random.choices(population=[1, 2], weights=[1, 1], k=3)))
show("{:>3}|{:04.1f}|{name}".format("a", 2.25, name="b"), f"{3:0{2 + 2}d}", f"a\t{{}}", f"{1 + 1 = }")
show(37 in range(0, 3000), 38 in range(1, 3000, 2), range(3, 300)[0], max(range(300), key=lambda k: -abs(k - 7)))
try:
    collections.deque([], maxlen=-1)
except ValueError:
    show("no such limit")
import copy

generator = random.Random(7)
twin = copy.deepcopy(generator)
show(twin is generator, generator.random() == twin.random())

steps = range(2, 20, 3)
show(steps.start, steps.stop, steps.step, steps[1], steps[-1], len(steps))
show(list(steps[1:3]), list(range(10)[::-2]), sum(range(10)[2:]), list(range(5)[7:]))
show([n for n in range(8)[3:6]], range(6)[1:4].stop, 4 in range(6)[:4])
try:
    range(3)[3]
except IndexError:
    show("no item")
