"""What functions and methods do with files: which argument is the path, and what happens to the file.

Facts from Python's documentation of ``os``, ``shutil``, ``pathlib`` and ``io``, and from those of numpy, pandas, h5py,
netCDF4, zarr, joblib, PyTorch, matplotlib and the libraries of images, tables, meshes and maps that are named below.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """What happens to a file or folder."""

    READS = "reads"
    WRITES = "writes"
    APPENDS = "appends to"
    UPDATES = "updates"
    MAKES = "makes"
    REMOVES = "removes"
    LISTS = "lists"
    OPENS = "opens"


LENIENT_LISTINGS = frozenset({"glob", "iglob", "rglob", "walk"})
"""Listings that give nothing for a folder that is missing (documentation of `glob`, `pathlib` and `os.walk`)."""


@dataclass(frozen=True, slots=True)
class FileOperation:
    """An effect on the path at a position or under a keyword; ``suffix`` is what the function adds to a name."""

    effect: Effect
    position: int = 0
    keyword: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """A function that opens a file: where the path and the mode are, and the mode by default."""

    path: tuple[int, str]
    mode: tuple[int, str] = (1, "mode")
    default: str = "r"


def _table(names: str, *operations: FileOperation, prefix: str = "") -> dict[str, tuple[FileOperation, ...]]:
    return dict.fromkeys((prefix + name for name in names.split()), operations)


_READS, _WRITES = FileOperation(Effect.READS), FileOperation(Effect.WRITES)
_MAKES, _REMOVES, _LISTS = FileOperation(Effect.MAKES), FileOperation(Effect.REMOVES), FileOperation(Effect.LISTS)
_TO_SECOND = FileOperation(Effect.WRITES, 1, "dst")

_TO_PATH, _TO_NAMED = FileOperation(Effect.WRITES, 1, "path"), FileOperation(Effect.WRITES, 1, "filename")

_BY_KEYWORD = 99
"""The position of a parameter that has none: no call passes that many arguments."""

OPENINGS: dict[str, Opening] = {
    **dict.fromkeys("builtins.open io.open codecs.open".split(), Opening((0, "file"))),
    **dict.fromkeys("gzip.open bz2.open lzma.open".split(), Opening((0, "filename"))),
    **dict.fromkeys("tarfile.open h5py.File zipfile.ZipFile".split(), Opening((0, "name"))),
    **dict.fromkeys("netCDF4.Dataset scipy.io.netcdf_file".split(), Opening((0, "filename"))),
    **dict.fromkeys("tables.open_file fitsio.FITS".split(), Opening((0, "filename"))),
    "pandas.HDFStore": Opening((0, "path"), default="a"),
    "pandas.ExcelWriter": Opening((0, "path"), default="w"),
    **dict.fromkeys("zarr.open zarr.open_group".split(), Opening((0, "store"), default="a")),
    "numpy.memmap": Opening((0, "filename"), (2, "mode"), "r+"),
    "numpy.lib.format.open_memmap": Opening((0, "filename"), default="r+"),
    "shelve.open": Opening((0, "filename"), (1, "flag"), "a"),
    "tensorflow.io.gfile.GFile": Opening((0, "name")),
    "logging.FileHandler": Opening((0, "filename"), default="a"),
    "logging.basicConfig": Opening((_BY_KEYWORD, "filename"), (_BY_KEYWORD, "filemode"), "a"),
}
"""Functions whose mode states what happens."""

TOGETHER: dict[str, Opening] = {"mpi4py.MPI.File.Open": Opening((1, "filename"), (2, "amode"))}
"""Functions by which all ranks of a communicator open one file."""

OPERATIONS: dict[str, tuple[FileOperation, ...]] = {
    **_table("makedirs mkdir", _MAKES, prefix="os."),
    **_table("remove unlink rmdir removedirs", _REMOVES, prefix="os."),
    **_table("rename replace renames", _REMOVES, _TO_SECOND, prefix="os."),
    **_table("symlink link", FileOperation(Effect.MAKES, 1, "dst"), prefix="os."),
    **_table("listdir scandir", _LISTS, prefix="os."),
    **_table("glob iglob", _LISTS, prefix="glob."),
    **_table("copy copy2 copyfile copytree", _READS, _TO_SECOND, prefix="shutil."),
    **_table("move", _REMOVES, _TO_SECOND, prefix="shutil."),
    **_table("rmtree", _REMOVES, prefix="shutil."),
    **_table("save", FileOperation(Effect.WRITES, 0, "file", ".npy"), prefix="numpy."),
    **_table("savez savez_compressed", FileOperation(Effect.WRITES, 0, "file", ".npz"), prefix="numpy."),
    **_table("savetxt", _WRITES, prefix="numpy."),
    **_table("load loadtxt genfromtxt fromfile", _READS, prefix="numpy."),
    **_table("save savez savez_compressed", FileOperation(Effect.WRITES, 0, "file"), prefix="jax.numpy."),
    **_table("load", _READS, prefix="jax.numpy."),
    **_table("read_csv read_excel read_feather read_hdf read_json read_parquet read_pickle", _READS, prefix="pandas."),
    **_table("joblib.load torch.load xarray.open_dataset xarray.open_zarr scipy.io.loadmat pstats.Stats", _READS),
    **_table("scipy.sparse.load_npz scipy.io.wavfile.read imageio.imread matplotlib.pyplot.imread", _READS),
    **_table("scipy.io.savemat matplotlib.pyplot.savefig matplotlib.pyplot.imsave imageio.imwrite", _WRITES),
    **_table("scipy.sparse.save_npz scipy.io.wavfile.write scipy.io.mmwrite imageio.mimsave meshio.write", _WRITES),
    **_table("imageio.imsave imageio.v2.imwrite imageio.v3.imwrite skimage.io.imsave tifffile.imwrite", _WRITES),
    **_table("cv2.imwrite soundfile.write gmsh.write MDAnalysis.Writer", _WRITES),
    **_table("healpy.write_map healpy.write_alm healpy.write_cl fitsio.write astropy.io.fits.writeto", _WRITES),
    **_table("imageio.v2.imread imageio.v3.imread skimage.io.imread tifffile.imread cv2.imread", _READS),
    **_table("healpy.read_map healpy.read_alm healpy.read_cl fitsio.read meshio.read", _READS),
    **_table("astropy.io.fits.open astropy.io.fits.getdata astropy.io.fits.getheader gmsh.open", _READS),
    **_table("save savez savez_compressed savetxt", _WRITES, prefix="cupy."),
    **_table("write_table", FileOperation(Effect.WRITES, 1, "where"), prefix="pyarrow.parquet."),
    **_table("write_csv", FileOperation(Effect.WRITES, 1, "output_file"), prefix="pyarrow.csv."),
    **_table("write_gml write_graphml write_gexf write_edgelist", _TO_PATH, prefix="networkx."),
    **_table("nibabel.save", FileOperation(Effect.WRITES, 1, "filename")),
    **_table("torchvision.utils.save_image", FileOperation(Effect.WRITES, 1, "fp")),
    **_table("safetensors.torch.save_file safetensors.numpy.save_file safetensors.flax.save_file", _TO_NAMED),
    "shutil.make_archive": (FileOperation(Effect.WRITES, 0, "base_name"), FileOperation(Effect.READS, 2, "root_dir")),
    "shutil.unpack_archive": (FileOperation(Effect.READS), FileOperation(Effect.WRITES, 1, "extract_dir")),
    **_table("create empty zeros ones full", FileOperation(Effect.WRITES, 6, "store"), prefix="zarr."),
    "urllib.request.urlretrieve": (FileOperation(Effect.WRITES, 1, "filename"),),
    **_table("torch.save joblib.dump", FileOperation(Effect.WRITES, 1, "f")),
    **_table("makedirs mkdir MakeDirs MkDir", _MAKES, prefix="tensorflow.io.gfile."),
    **_table("remove rmtree Remove DeleteRecursively", _REMOVES, prefix="tensorflow.io.gfile."),
}
"""Functions by canonical name."""

SELF = -1
"""The position of the object of a method."""

_SELF_REMOVED = FileOperation(Effect.REMOVES, SELF)
PATH_METHODS: dict[str, tuple[FileOperation, ...]] = {
    **_table("mkdir touch", FileOperation(Effect.MAKES, SELF)),
    **_table("symlink_to hardlink_to", FileOperation(Effect.MAKES, SELF)),
    **_table("write_text write_bytes", FileOperation(Effect.WRITES, SELF)),
    **_table("read_text read_bytes", FileOperation(Effect.READS, SELF)),
    **_table("unlink rmdir", _SELF_REMOVED),
    **_table("rename replace", _SELF_REMOVED, FileOperation(Effect.WRITES, 0, "target")),
    **_table("iterdir glob rglob", FileOperation(Effect.LISTS, SELF)),
}
"""Methods of `pathlib.Path`."""

DISTINCT_PATH_METHODS = frozenset(
    "mkdir touch symlink_to hardlink_to write_text write_bytes read_text read_bytes unlink rmdir iterdir rglob".split()
)
"""Those that no other common class has."""

STORING = {
    **_table(
        "to_csv to_hdf to_parquet to_pickle to_json to_excel to_feather to_netcdf to_zarr to_stata tofile savefig",
        FileOperation(Effect.WRITES),
    ),
    **_table("write_html write_image write_parquet write_csv dump_stats", FileOperation(Effect.WRITES)),
}
"""Methods of tables, arrays, figures and profiles that write a file."""

ALLOWS_CHANGES = frozenset({"h5py.File", "netCDF4.Dataset", "zarr.open", "zarr.open_group"})
"""Files that only one process can change at a time: appending to one is writing it."""

CREATES_CONTENTS = frozenset({"create_group", "create_dataset", "require_group", "require_dataset"})
"""Methods of such a file that change it."""

LOCKED = frozenset({"h5py.File", "netCDF4.Dataset"})
"""Files that HDF5 locks: while one process may change one, no other can open it (HDF5, "File Locking")."""

UNLOCKED = frozenset({"swmr", "locking"})
"""Keywords by which a program decides about the locks itself."""

AT_ONCE = frozenset("rename renames replace move mkdir makedirs symlink symlink_to link hardlink_to".split())
"""Changes, by the last name of the call, that others see either in whole or not at all."""

MAKES_PARENTS = frozenset({"makedirs", "MakeDirs"})
"""Functions, by their last name, that make the folders above a folder."""

PARENTS = "parents"
"""The keyword with which `Path.mkdir` does."""

TOLERANT = {"exist_ok": True, "missing_ok": True, "ignore_errors": True, "dirs_exist_ok": True}
"""Keywords with which an operation accepts that another process was faster."""

TOLERANT_BY_DEFAULT = frozenset(
    {"touch", "tensorflow.io.gfile.makedirs", "tensorflow.io.gfile.MakeDirs", "os.replace", "replace"}
)
"""Operations that accept it without a keyword."""

PARALLEL = frozenset({"comm", "driver", "parallel", "info"})
"""Keywords with which several processes open one file together."""


def effect_of_mode(mode: str) -> Effect:
    """What opening a file with this mode does."""
    if set(mode) & set("wxn"):
        return Effect.WRITES
    if "a" in mode:
        return Effect.APPENDS
    return Effect.UPDATES if "+" in mode else Effect.READS
