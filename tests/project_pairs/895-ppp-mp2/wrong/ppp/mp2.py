import numpy as np


def mp2_energy(team, model, orb):
    """Closed-shell second order energy, occupied pairs spread over the ranks."""
    n, o = model.n, model.nocc
    c_occ, c_vir = orb.coeff[:, :o], orb.coeff[:, o:]
    e_occ, e_vir = orb.eps[:o], orb.eps[o:]
    pairs = [(i, j) for i in range(o) for j in range(i + 1)]
    e2 = 0.0
    for i, j in team.mine(pairs):
        left = c_occ[:, i, None] * c_vir
        right = c_occ[:, j, None] * c_vir
        iajb = left.T @ model.gamma @ right
        gap = e_occ[i] + e_occ[j] - e_vir[:, None] - e_vir[None, :]
        term = np.sum(iajb * (2.0 * iajb - iajb.T) / gap)
        e2 += float(term) * (1.0 if i == j else 2.0)
    return team.total(e2)
