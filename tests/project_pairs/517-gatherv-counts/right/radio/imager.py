import numpy as np

C = 299792458.0


class DirtyImager:
    def __init__(self, npix, cell):
        self.npix = npix
        axis = (np.arange(npix) - npix // 2) * cell
        self.l, self.m = np.meshgrid(axis, axis, indexing="ij")

    def image(self, uv, vis):
        phase = (self.l.ravel()[:, None] * uv[None, :, 0]
                 + self.m.ravel()[:, None] * uv[None, :, 1])
        img = (np.exp(2j * np.pi * phase) @ vis).real / vis.size
        return img.reshape(self.npix, self.npix)


class ChannelPipeline:
    def __init__(self, sky, array, imager, ref, noise=0.01):
        self.sky = sky
        self.array = array
        self.imager = imager
        self.ref = ref
        self.noise = noise

    def run(self, channel, freq):
        uv = self.array.baselines() * freq / C
        vis = self.sky.visibility(uv[:, 0], uv[:, 1], freq, self.ref)
        rng = np.random.default_rng([55, channel])
        vis = vis + self.noise * (rng.standard_normal(vis.size)
                                  + 1j * rng.standard_normal(vis.size))
        return self.imager.image(uv, vis)
