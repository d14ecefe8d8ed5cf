import numpy as np

import mpi
from model import LinearModel

rng = np.random.default_rng(mpi.rank)
x = rng.normal(size=(64, 4))
y = x @ np.array([1.0, -2.0, 0.5, 3.0])

model = LinearModel(4)
if mpi.is_root:
    history = []

for epoch in range(30):
    loss, grad = model.loss_and_grad(x, y)
    loss, grad = mpi.average(loss), mpi.average(grad)
    model.weights -= 0.1 * grad
    if mpi.is_root:
        history.append(loss)
        if epoch % 10 == 0:
            print(f"epoch {epoch}")

if mpi.is_root:
    print("epochs kept:", len(history), "falling:", history[-1] < history[0])
