"""Functions of `operator` that change their operands."""

import operator

import numpy as np

items = [0, 1, 2]
operator.setitem(items, 1, 9)
show(items[1])
operator.delitem(items, 0)
show(list(items))
show(operator.iadd(items, (5,)) is items, list(items))
operator.imul(items, 2)
show(list(items), operator.getitem(items, -1))
table = {"a": 1}
operator.setitem(table, "b", 2)
operator.delitem(table, "a")
operator.ior(table, {"c": 3})
show(dict(table))
some = {1, 2}
operator.iand(some, {2, 3})
show(set(some))
a = np.zeros(2, int)
operator.iadd(a, 3)
operator.setitem(a, 0, 8)
show(a.tolist(), operator.iadd(1, 2), operator.not_([]), operator.neg(3))
