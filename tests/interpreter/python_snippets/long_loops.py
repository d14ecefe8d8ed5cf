"""Loops with so many passes that some of them are left out."""


def every():
    for number in range(1000):
        yield number


def search(wanted):
    for number in range(1000):
        if number == wanted:
            return number
    return None


found = []
for number in range(1000):
    found.append(number)
counted = 0
for number in range(1000):
    if number % 100 == 50:
        counted += 1
seen = 0
for number in every():
    seen += 1
show(len(found), found[-1], counted, sum(range(1000)), [n for n in range(1000) if n == 37])
show(len(list(every())), seen, max(every()), any(n == 37 for n in range(1000)), next(n for n in range(1000) if n == 37))
hit = False
for number in range(1, 5000, 3):
    if number == 4321:
        hit = True
show(search(37), search(998), search(5000), hit)

pairs = enumerate(range(500))
for number, value in pairs:
    last = value
show(last, list(pairs), next(pairs, "end"))
many = iter(range(300))
show(next(many), len(list(many)), list(many))

rest = iter(range(10**8))
show(next(rest), getattr(rest, "no_such_name", 3), next(rest))
