"""Slices as objects."""

import numpy as np

first = slice(2)
second = slice(1, 6, 2)
numbers = list(range(8))
show(numbers[first], numbers[second], numbers[slice(None, None, -1)])
show(first.start, first.stop, first.step, second.start, second.stop, second.step)
show(second.indices(4), slice(-3, None).indices(8), list(range(*slice(5, None, -2).indices(8))))
show(isinstance(second, slice), isinstance(numbers, slice), isinstance(3, (slice, int)))
table = np.arange(12).reshape(3, 4)
show(table[slice(1, 3)].tolist(), table[slice(0, 2), slice(1, None)].tolist(), table[np.s_[1:, 2]].tolist())
show(np.s_[2:5].stop, np.s_[1], np.s_[1, 2], np.index_exp[3], len(np.index_exp[1:2, 0]))
changed = list(numbers)
changed[slice(2, 4)] = ["a", "b", "c"]
show(changed)
table[slice(0, 1), slice(2, 4)] = 7
show(table.tolist(), table[(slice(None), 2)].tolist())
