def minimise(function, x, steps, rate, watch=None):
    """Gradient descent; the function returns value and gradient."""
    for step in range(steps):
        value, gradient = function(x)
        x = x - rate * gradient
        if watch is not None:
            watch(step, value)
    return x
