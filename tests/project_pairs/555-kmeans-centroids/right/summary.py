def print_table(centers, sizes):
    order = sorted(range(len(sizes)), key=lambda k: -sizes[k])
    width = max(len(str(n)) for n in sizes)
    for k in order:
        coords = " ".join(f"{c:8.3f}" for c in centers[k])
        print(f"{k:2d} {sizes[k]:{width}d} {coords}")
