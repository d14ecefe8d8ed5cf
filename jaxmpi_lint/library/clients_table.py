"""Libraries that communicate on a communicator they are given.

Written by tools/generate_library_tables.py; do not edit.
"""

# ruff: noqa: E501
# fmt: off

from __future__ import annotations

from jaxmpi_lint.library.rows import Rows

ROWS: Rows = {
    "bigfile.FileMPI": (("collective", "comm filename create=False", "communicator=comm result=unknown"),),
    "bigfile.FileMPI.create": (("collective", "blockname dtype=None size=None Nfile=1", "communicator=handle given=handle result=unknown"),),
    "bigfile.FileMPI.create_from_array": (("collective", "blockname array Nfile=None memorylimit=268435456", "communicator=handle given=handle result=unknown"),),
    "bigfile.FileMPI.open": (("collective", "blockname", "communicator=handle given=handle result=unknown"),),
    "bigfile.FileMPI.refresh": (("collective", "", "communicator=handle given=handle"),),
    "h5py.File": (("collective", "name mode='r' driver=None * comm=None", "communicator=comm given=comm result=unknown"),),
    "h5py.File.close": (("collective", "", "communicator=handle given=handle"),),
    "h5py.File.create_dataset": (("collective", "name shape=None dtype=None data=None", "communicator=handle given=handle result=unknown"),),
    "h5py.File.create_group": (("collective", "name track_order=None", "communicator=handle given=handle result=unknown"),),
    "h5py.File.flush": (("collective", "", "communicator=handle given=handle"),),
    "mpi4py_fft.PFFT": (("collective", "comm shape=None axes=None dtype='float' grid=None padding=False", "communicator=comm result=unknown"),),
    "mpi4py_fft.PFFT.backward": (("collective", "input_array=None output_array=None", "communicator=handle given=handle result=unknown"),),
    "mpi4py_fft.PFFT.forward": (("collective", "input_array=None output_array=None", "communicator=handle given=handle result=unknown"),),
    "mpi4py_fft.pencil.Subcomm": (("collective", "comm dims=None reorder=True", "communicator=comm result=unknown"),),
    "mpsort.globalindices": (("collective", "array comm", "communicator=comm result=unknown"),),
    "mpsort.globalrange": (("collective", "array comm", "communicator=comm result=unknown"),),
    "mpsort.histogram": (("collective", "array bins comm right=False", "communicator=comm result=same"),),
    "mpsort.permute": (("collective", "source argindex comm out=None", "communicator=comm result=unknown"),),
    "mpsort.sort": (("collective", "source orderby=None out=None comm=None tuning=[]", "communicator=comm communicator_default=world result=unknown"),),
    "mpsort.take": (("collective", "source argindex comm out=None", "communicator=comm result=unknown"),),
    "netCDF4.Dataset": (("collective", "filename mode='r' * comm=None", "communicator=comm given=comm result=unknown"),),
    "netCDF4.Dataset.close": (("collective", "", "communicator=handle given=handle"),),
    "netCDF4.Dataset.createDimension": (("collective", "name", "communicator=handle given=handle result=unknown"),),
    "netCDF4.Dataset.createGroup": (("collective", "name", "communicator=handle given=handle result=unknown"),),
    "netCDF4.Dataset.createVariable": (("collective", "name", "communicator=handle given=handle result=unknown"),),
    "netCDF4.Dataset.sync": (("collective", "", "communicator=handle given=handle"),),
    "pfft.ProcMesh": (("collective", "np comm=None", "communicator=comm communicator_default=world result=unknown"),),
}
