class Sequential:
    def __init__(self, *layers):
        self.layers = layers

    def forward(self, x):
        for l in self.layers:
            x = l.forward(x)
        return x

    def backward(self, g):
        for l in reversed(self.layers):
            g = l.backward(g)

    def parameters(self):
        for l in self.layers:
            yield from l.params

    def gradients(self):
        for l in self.layers:
            yield from l.grads()
