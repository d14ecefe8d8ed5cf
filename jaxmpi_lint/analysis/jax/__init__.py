"""Domain knowledge of JAX that several checks share: global arrays, launches, differentiation."""
