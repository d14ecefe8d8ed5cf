"""A small differentiable-free pendulum task, all in JAX."""
import jax
import jax.numpy as jnp

DT = 0.05
HORIZON = 120
N_PARAMS = 3 * 8 + 8 + 8 + 1


def unpack(theta):
    w1 = theta[:24].reshape(3, 8)
    b1 = theta[24:32]
    w2 = theta[32:40]
    b2 = theta[40]
    return w1, b1, w2, b2


def policy(theta, angle, velocity):
    w1, b1, w2, b2 = unpack(theta)
    obs = jnp.array([jnp.cos(angle), jnp.sin(angle), velocity / 8.0])
    hidden = jnp.tanh(obs @ w1 + b1)
    return 2.0 * jnp.tanh(hidden @ w2 + b2)


def episode_return(theta):
    """Return of one swing-up episode from the hanging position."""

    def step(state, _):
        angle, velocity = state
        torque = policy(theta, angle, velocity)
        wrapped = jnp.mod(angle + jnp.pi, 2 * jnp.pi) - jnp.pi
        cost = wrapped**2 + 0.1 * velocity**2 + 0.001 * torque**2
        velocity = velocity + (15.0 * jnp.sin(angle) + 3.0 * torque) * DT
        velocity = jnp.clip(velocity, -8.0, 8.0)
        return (angle + velocity * DT, velocity), -cost

    start = (jnp.array(jnp.pi), jnp.array(0.0))
    _, rewards = jax.lax.scan(step, start, None, length=HORIZON)
    return rewards.mean()


population_return = jax.vmap(episode_return)
