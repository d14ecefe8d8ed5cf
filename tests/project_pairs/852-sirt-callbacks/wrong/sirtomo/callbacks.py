"""Hooks of the solver."""
import numpy as np


class Callback:
    """Base class; every hook gets the solver state."""

    def on_start(self, state):
        pass

    def on_iteration(self, state):
        pass

    def on_finish(self, state):
        pass


class CallbackList(Callback):
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)

    def on_start(self, state):
        for callback in self.callbacks:
            callback.on_start(state)

    def on_iteration(self, state):
        for callback in self.callbacks:
            callback.on_iteration(state)

    def on_finish(self, state):
        for callback in self.callbacks:
            callback.on_finish(state)


class Progress(Callback):
    """Prints the residual now and then."""

    def __init__(self, every=20):
        self.every = every

    def on_iteration(self, state):
        if state.history and state.iteration % self.every == 0:
            print(f"iteration {state.iteration:4d}  "
                  f"residual {state.history[-1]:.5f}", flush=True)


class EarlyStop(Callback):
    """Stops the solver when the residual has become flat."""

    def __init__(self, rtol=1e-2, patience=3):
        self.rtol = rtol
        self.patience = patience

    def on_iteration(self, state):
        if len(state.history) <= self.patience:
            return
        recent = np.array(state.history[-self.patience - 1:])
        gains = -np.diff(recent) / recent[:-1]
        if np.all(gains < self.rtol):
            state.stop = True


class NonNegative(Callback):
    """Projects the image on the physical range after each update."""

    def on_iteration(self, state):
        np.clip(state.image, 0.0, None, out=state.image)
