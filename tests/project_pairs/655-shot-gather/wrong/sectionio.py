import h5py
import numpy as np


class SectionFile:
    def __init__(self, path):
        self.path = path

    def write(self, section, positions, dt):
        with h5py.File(self.path, "w") as f:
            d = f.create_dataset("section", data=section.astype(np.float32), compression="gzip")
            d.attrs["dt"] = dt
            f["shot_x"] = positions

    def rms(self):
        with h5py.File(self.path, "r") as f:
            data = f["section"][...].astype(float)
        return float(np.sqrt(np.mean(data**2)))
