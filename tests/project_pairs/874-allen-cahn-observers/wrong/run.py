from mpi4py import MPI

from phase.lattice import StripField
from phase.model import AllenCahn
from phase.observers import EnergyLog, SafetySnapshot
from phase.triggers import EveryInterval, EveryNSteps


def main(steps=3000):
    comm = MPI.COMM_WORLD
    field = StripField(comm, 96)
    field.randomise(seed=12)
    model = AllenCahn(field)
    energy = EnergyLog(EveryNSteps(250))
    safety = SafetySnapshot(EveryInterval(0.02))
    model.attach(energy).attach(safety)
    model.run(steps)
    final = model.free_energy()
    if comm.rank == 0:
        for number, value in energy.rows:
            print(f"step {number:5d}  free energy {value:12.5f}")
        falling = all(a[1] >= b[1] for a, b in zip(energy.rows, energy.rows[1:]))
        print(f"final {final:.5f}, falling: {falling}, snapshots taken: {safety.count > 0}")


if __name__ == "__main__":
    main()
