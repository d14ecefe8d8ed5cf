def pool_share(structures, layout):
    """The structures of this rank: dealt to the pools, then within the pool by size."""
    pool_list = structures[layout.index :: layout.count]
    pool_list.sort(key=lambda s: (-len(s.positions), s.name))
    return pool_list[layout.pool.rank :: layout.pool.size]
