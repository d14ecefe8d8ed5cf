import random


def planted_graph(n, p, clique, seed):
    """Random graph with one planted clique, as a list of neighbour sets."""
    rnd = random.Random(seed)
    adj = [set() for _ in range(n)]

    def link(a, b):
        adj[a].add(b)
        adj[b].add(a)

    for a in range(n):
        for b in range(a + 1, n):
            if rnd.random() < p:
                link(a, b)
    members = rnd.sample(range(n), clique)
    for i, a in enumerate(members):
        for b in members[i + 1:]:
            link(a, b)
    return adj


def extend(adj, clique, candidates, k):
    """Depth first search for a clique of k vertices, None if there is none."""
    if len(clique) == k:
        return clique
    if len(clique) + len(candidates) < k:
        return None
    for v in sorted(candidates):
        found = extend(adj, clique + [v], {u for u in candidates & adj[v] if u > v}, k)
        if found:
            return found
    return None
