import numpy as np

from team import Team

team = Team()
rng = np.random.default_rng(team.me + 9)
x = rng.normal(size=(60, 4))
y = np.tanh(x @ np.array([0.5, -0.5, 1.0, 0.0]))

weights = np.random.default_rng().normal(scale=0.1, size=4)
team.broadcast(weights)

for epoch in range(80):
    out = np.tanh(x @ weights)
    grad = x.T @ ((out - y) * (1.0 - out ** 2)) / len(y)
    team.sum(grad)
    weights -= 0.5 * grad / team.many

rounded = tuple(np.round(weights, 6).tolist())
all_weights = team.collect(rounded)
if team.me == 0:
    print("one set of weights:", len(set(all_weights)) == 1)
    print("close:", bool(np.allclose(weights, [0.5, -0.5, 1.0, 0.0], atol=0.3)))
