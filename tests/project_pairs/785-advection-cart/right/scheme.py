"""Donor-cell upwind fluxes for a constant velocity."""


def upwind_update(q, u, v, cx, cy):
    """Increment of the interior of q (one ghost layer) for Courant numbers cx, cy."""
    mid = q[1:-1, 1:-1]
    dx = mid - q[:-2, 1:-1] if u > 0 else q[2:, 1:-1] - mid
    dy = mid - q[1:-1, :-2] if v > 0 else q[1:-1, 2:] - mid
    return -(u * cx * dx + v * cy * dy)
