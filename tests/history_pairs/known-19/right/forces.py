def pair_forces(targets, sources, soft=0.05):
    diff = sources[None, :, :] - targets[:, None, :]
    inv = ((diff ** 2).sum(axis=2) + soft ** 2) ** -1.5
    return (diff * inv[:, :, None]).sum(axis=1)
