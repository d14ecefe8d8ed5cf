import numpy as np

from ranks import mean_of_all, my_rank, root_only

rng = np.random.default_rng(my_rank())
data = rng.normal(loc=[2.0, -1.0], size=(200, 2))
centre = np.zeros(2)


@root_only
def report(turn, centre):
    spread = mean_of_all(float(((data - centre) ** 2).sum(axis=1).mean()))
    print(f"turn {turn}: spread {spread:.2f}")


for turn in range(6):
    pull = mean_of_all((data - centre).mean(axis=0))
    centre = centre + 0.7 * pull
    report(turn, centre)

distance = mean_of_all(float(np.linalg.norm(centre - [2.0, -1.0])))
if my_rank() == 0:
    print("close:", distance < 0.2)
