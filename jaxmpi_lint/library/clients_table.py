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
    "jaxmpi_lint.runtime.collectives.allgather": (("collective", "x * comm=None", "communicator=comm sends=x communicator_default=world-clone result=same"),),
    "jaxmpi_lint.runtime.collectives.allreduce": (("collective", "x op * comm=None", "communicator=comm reduction=op sends=x communicator_default=world-clone result=same"),),
    "jaxmpi_lint.runtime.collectives.alltoall": (("collective", "x * comm=None", "communicator=comm sends=x communicator_default=world-clone result=own"),),
    "jaxmpi_lint.runtime.collectives.barrier": (("collective", "* comm=None", "communicator=comm communicator_default=world-clone"),),
    "jaxmpi_lint.runtime.collectives.bcast": (("collective", "x root * comm=None", "communicator=comm root=root sends=x communicator_default=world-clone result=same template=x"),),
    "jaxmpi_lint.runtime.collectives.gather": (("collective", "x root * comm=None", "communicator=comm root=root sends=x communicator_default=world-clone result=root-else-input"),),
    "jaxmpi_lint.runtime.collectives.recv": (("receive", "x source=ANY_SOURCE * tag=ANY_TAG comm=None status=None", "communicator=comm source=source tag=tag communicator_default=world-clone result=own template=x"),),
    "jaxmpi_lint.runtime.collectives.reduce": (("collective", "x op root * comm=None", "communicator=comm root=root reduction=op sends=x communicator_default=world-clone result=root-else-input"),),
    "jaxmpi_lint.runtime.collectives.scan": (("collective", "x op * comm=None", "communicator=comm reduction=op sends=x communicator_default=world-clone result=own"),),
    "jaxmpi_lint.runtime.collectives.scatter": (("collective", "x root * comm=None", "communicator=comm root=root sends=x communicator_default=world-clone result=own template=x"),),
    "jaxmpi_lint.runtime.collectives.send": (("send", "x dest * tag=0 comm=None", "communicator=comm destination=dest tag=tag sends=x communicator_default=world-clone"),),
    "jaxmpi_lint.runtime.collectives.sendrecv": (("sendrecv", "sendbuf recvbuf source dest * sendtag=0 recvtag=ANY_TAG comm=None status=None", "communicator=comm destination=dest source=source tag=sendtag sends=sendbuf communicator_default=world-clone result=own template=recvbuf"),),
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
