def read_links(rng, pages, links):
    """Pairs of page names; popular pages are linked to more often."""
    names = [f"page{rng.randrange(10 ** 5):05d}" for _ in range(pages)]
    out = []
    for _ in range(links):
        src = rng.choice(names)
        dst = names[int(pages * rng.random() ** 2)]
        if src != dst:
            out.append((src, dst))
    return out


def renumber(links):
    """List of page names, and the links as pairs of positions in that list."""
    pages = sorted({name for link in links for name in link})
    index = {name: k for k, name in enumerate(pages)}
    return pages, [(index[s], index[d]) for s, d in links]
