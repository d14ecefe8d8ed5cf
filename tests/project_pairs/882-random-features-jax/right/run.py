"""Start with: mpirun -n 2 python run.py"""
from kernelfit.context import Context

import numpy as np

from kernelfit.features import make_features
from kernelfit.solve import KernelRegressor
from kernelfit.source import SampleSource, truth


def main():
    context = Context(seed=31)
    source = SampleSource(context)
    x, y = source.draw(2000)
    x_test, y_test = source.draw(1000)
    for kind in ("linear", "fourier"):
        features = make_features(kind, context, 2, nfeatures=40, scale=0.5)
        model = KernelRegressor(features).train(x, y)
        score = model.score(x_test, y_test)
        if context.rank == 0:
            print(f"{kind:8s} root mean square error on new points {score:.4f}", flush=True)

    point = np.array([[0.3, -0.4]])
    z = features.transform([np.asarray(p) for p in features.parameters()], point)
    value = float((np.asarray(z) @ np.asarray(model.weights))[0])
    print(f"process {context.rank}: value at {point[0]} {value:.4f}, exact {truth(point)[0]:.4f}",
          flush=True)
    context.finish()


if __name__ == "__main__":
    main()
