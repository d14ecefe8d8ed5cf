"""Ridge regression through conjugate gradients on the normal equations."""
from functools import partial

import jax
import jax.numpy as jnp
from jax.scipy.sparse.linalg import cg


class NormalOperator:
    """``(Z^T Z / n + ridge I) @ w`` without forming the matrix."""

    def __init__(self, z, ridge):
        self.z = z
        self.ridge = ridge

    def __matmul__(self, w):
        return self.z.T @ (self.z @ w) / self.z.shape[0] + self.ridge * w


@partial(jax.jit, static_argnums=0)
def fit(transform, params, x, y, ridge):
    z = transform(params, x)
    operator = NormalOperator(z, ridge)
    w, _ = cg(operator.__matmul__, z.T @ y / z.shape[0], tol=1e-6, maxiter=400)
    return w


@partial(jax.jit, static_argnums=0)
def mean_square(transform, params, w, x, y):
    return jnp.mean((transform(params, x) @ w - y) ** 2)


class KernelRegressor:
    def __init__(self, features, ridge=1e-5):
        self.features = features
        self.ridge = ridge
        self.weights = None

    def train(self, x, y):
        f = self.features
        self.weights = fit(f.transform, f.parameters(), x, y, self.ridge)
        return self

    def score(self, x, y):
        f = self.features
        return float(mean_square(f.transform, f.parameters(), self.weights, x, y)) ** 0.5
