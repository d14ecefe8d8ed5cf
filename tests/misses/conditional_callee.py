from mpi4py import MPI
comm = MPI.COMM_WORLD

class Sampler:
    def samples(self, combined=False):
        collection = self.collection
        if not combined:
            return collection
        return comm.bcast(collection, root=0)

    def products(self, combined=False):
        products = {}
        if comm.rank == 0:
            products = {"sample": self.samples(combined=combined)}  #! JM105
        if combined:
            return comm.bcast(products, root=0)
        return products
