import jax
import fsspec
from jax.experimental import multihost_utils as mh

def remove(path):
    try:
        mh.sync_global_devices("before")
        if jax.process_index() == 0:
            fs, plain = fsspec.core.url_to_fs(path)
            fs.rm(plain, recursive=True)
        mh.sync_global_devices("after")  #! JM107
    except Exception as e:
        print("failed", e)
