import random


def small_world(n, k=2, shortcuts=20, seed=11):
    """Ring with k neighbours to each side and a few long edges."""
    rnd = random.Random(seed)
    adj = {v: set() for v in range(n)}
    for v in range(n):
        for d in range(1, k + 1):
            w = (v + d) % n
            if w != v:
                adj[v].add(w)
                adj[w].add(v)
    for _ in range(shortcuts):
        a, b = rnd.randrange(n), rnd.randrange(n)
        if a != b:
            adj[a].add(b)
            adj[b].add(a)
    return {v: sorted(ws) for v, ws in adj.items()}


def serial_bfs(adj, root):
    dist = {root: 0}
    queue = [root]
    for v in queue:
        for w in adj[v]:
            if w not in dist:
                dist[w] = dist[v] + 1
                queue.append(w)
    return dist
