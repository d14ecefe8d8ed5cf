import numpy as np


class Layer:
    """Base class; a layer owns its parameters, their gradients and the saved inputs."""

    def __init__(self, name):
        self.name = name
        self.params = {}
        self.grads = {}

    def forward(self, x):
        raise NotImplementedError

    def backward(self, grad):
        raise NotImplementedError


class Dense(Layer):
    def __init__(self, name, n_in, n_out, rng):
        super().__init__(name)
        self.params["weight"] = rng.normal(size=(n_in, n_out)) / np.sqrt(n_in)
        self.params["bias"] = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.params["weight"] + self.params["bias"]

    def backward(self, grad):
        self.grads["weight"] = self.x.T @ grad
        self.grads["bias"] = grad.sum(axis=0)
        return grad @ self.params["weight"].T


class ReLU(Layer):
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask

    def backward(self, grad):
        return grad * self.mask


class Sequential(Layer):
    def __init__(self, name, *layers):
        super().__init__(name)
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, grad):
        for layer in reversed(self.layers):
            grad = layer.backward(grad)
        return grad

    def named(self, attribute):
        return {f"{l.name}.{k}": v for l in self.layers for k, v in getattr(l, attribute).items()}
