import math

from gauges import RIVERS


def render(table, basins):
    rows = [f"{'gauge':<10}{'mean':>9}{'peak':>9}{'days':>6}"]
    for name in sorted(table):
        r = table[name]
        rows.append(f"{name:<10}{r['mean']:>9.2f}{r['peak']:>9.2f}{r['days']:>6}")
    rows += [f"basin {b:<8} {q:9.2f} m3/s" for b, q in sorted(basins.items())]
    return "\n".join(rows)


def plausible(table):
    """Gauges whose season mean is far from the long-term mean."""
    odd = []
    for name, row in table.items():
        mean, _ = RIVERS[name]
        if abs(math.log(row["mean"] / mean)) > math.log(1.5):
            odd.append(name)
    return odd
