import numpy as np


class PointMass:
    """Push a point mass to the origin; quadratic cost on state and action."""

    obs_dim = 4
    act_dim = 2

    def __init__(self, horizon=40, dt=0.1):
        self.horizon = horizon
        self.dt = dt

    def reset(self, start):
        self.pos = np.array(start, dtype=float)
        self.vel = np.zeros(2)
        self.t = 0
        return self._obs()

    def _obs(self):
        return np.concatenate([self.pos, self.vel])

    def step(self, action):
        action = np.clip(action, -2.0, 2.0)
        self.vel += self.dt * action
        self.pos += self.dt * self.vel
        self.t += 1
        reward = -(self.pos @ self.pos) - 0.01 * (action @ action)
        return self._obs(), reward, self.t >= self.horizon


class LinearPolicy:
    def __init__(self, obs_dim, act_dim):
        self.shape = (act_dim, obs_dim)

    @property
    def n_params(self):
        return self.shape[0] * self.shape[1]

    def act(self, theta, obs):
        return theta.reshape(self.shape) @ obs


def rollout(env, policy, theta, start):
    obs, done, total = env.reset(start), False, 0.0
    while not done:
        obs, reward, done = env.step(policy.act(theta, obs))
        total += reward
    return total
