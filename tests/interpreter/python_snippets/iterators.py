"""Iterators: items that are taken are gone, for all who hold the iterator."""

import collections
import itertools
import operator

pairs = enumerate("abcd")
show(next(pairs), list(pairs), list(pairs))
both = zip([1, 2, 3], "abc")
show(next(both))
show([a for a, _ in both], list(both))
back = reversed([1, 2, 3])
show(next(back), sum(back), sum(back))
odd = filter(None, [0, 1, 2, 0, 3])
show(next(odd), list(odd), bool(odd))
named = map(str, range(3))
show(next(named), list(named), list(named))

it = iter(range(6))
show(any(x == 2 for x in it), list(it))
it = iter(range(6))
show(all(x < 2 for x in it), list(it))
it = iter(range(6))
show(3 in it, list(it), 3 in it)
it = iter(range(6))
show(next(x for x in it if x > 1), next(it))
it = iter(range(6))
show([x for x in it], [x for x in it])
it = iter(range(3))
show([(a, b) for a in range(2) for b in it])
it = iter(range(8))
show([a + b for a, b in zip(it, it)])
it = iter([1, 2, 3])
first, *rest = it
show(first, rest, list(it))
it = iter([4, 5, 6])
show([*it], [*it])


def numbers():
    yield from range(5)


made = numbers()
show([x for x in made], [x for x in made])
made = numbers()
show(2 in made, list(made))
made = numbers()
show([(a, b) for a in range(2) for b in made])

jobs = enumerate("abcdef")
show(list(itertools.islice(jobs, 2)), [i for i, _ in jobs])
lines = iter(["a", "b", "c", "d"])
taken = []
for number, line in enumerate(lines):
    taken.append((number, line, next(lines, None)))
show(taken)

combos = itertools.combinations(range(4), 2)
show(next(combos), len(list(combos)), list(combos))
show(list(itertools.product([1, 2], repeat=4))[5], len(list(itertools.product("ab", "cd", repeat=2))))
grid = [dict(a=a, g=g) for a, g in itertools.product([1, 2, 3], [4, 5, 6])]
show(len(grid), grid[4], len([p for p in itertools.permutations(range(4))]))
show(len([dict(c=c) for c in itertools.combinations("abcd", 2)]))
one, other = itertools.tee([1, 2, 3])
next(other, None)
show(list(zip(one, other)))
one, other = itertools.tee(numbers())
show(next(one), next(one), next(other))
joined = itertools.chain([1, 2], (3,))
show(next(joined), list(joined), list(joined))
flat = itertools.chain.from_iterable([[1], [2, 3]])
show(next(flat), list(flat))
sums = itertools.accumulate([1, 2, 3])
show(next(sums), list(sums))
steps = itertools.pairwise([1, 2, 3])
show(next(steps), list(steps), list(steps))
groups = itertools.groupby([1, 1, 2])
show([(k, list(g)) for k, g in groups], list(groups))
longest = itertools.zip_longest([1], [2, 3])
show(next(longest), list(longest))


class Down:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


down = Down(3)
show(next(down), list(down), next(down, "end"))

show(sorted(enumerate([3, 1])) == [(0, 3), (1, 1)])
show(collections.Counter(zip("aab", "aab"))[("a", "a")] == 2)
show(list(collections.deque(reversed([1, 2]))) == [2, 1])
show("".join(reversed("abc")) == "cba")
show(set(zip([1], [2])) == {(1, 2)})
show(tuple(enumerate("a")) == ((0, "a"),))
show(max(enumerate([3, 9, 1]), key=lambda p: p[1])[0] == 1)
show(dict(itertools.chain({"a": 1}.items(), {"b": 2}.items()))["b"] == 2)
x = [1]
x.extend(itertools.chain([2], [3]))
x += zip([1], [2])
show(x == [1, 2, 3, (1, 2)])
a, b = zip(*[(1, 2), (3, 4)])
show(a == (1, 3))
show(sum(map(operator.mul, [1, 2], [3, 4])) == 11)
show([*reversed(range(3))] == [2, 1, 0])
show(min(itertools.chain([4], [2])) == 2)
show(len({*itertools.combinations("abc", 2)}) == 3)
show(dict(zip("ab", itertools.count()))["b"] == 1)
show([k for k, g in itertools.groupby("aabb")] == ["a", "b"])
show(all(x < 5 for x in reversed([1, 2])))
show(next(iter(zip("a", "b"))) == ("a", "b"))
y = [0] * 4
y[::2] = zip([1, 2], [3, 4])
show(y[2] == (2, 4))
y[1:2] = reversed([7, 8])
show(y[1] == 8)
