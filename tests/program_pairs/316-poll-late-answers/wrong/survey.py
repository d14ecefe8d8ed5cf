"""Response curve of a noisy instrument; the root asks the workers round by round and waits
for their answers no longer than a deadline."""
import argparse
import time

import numpy as np
from mpi4py import MPI

ASK, ANSWER = 1, 2


def instrument(setting, rank):
    return setting ** 2 + 0.001 * rank


def worker(comm, hiccup):
    """Answers (round, value); one garbage collection or so delays it a little."""
    while True:
        question = comm.recv(source=0, tag=ASK)
        if question is None:
            return
        number, setting = question
        if comm.rank == 1 and number == hiccup:
            time.sleep(0.5)
        comm.send((number, instrument(setting, comm.rank)), dest=0, tag=ANSWER)


class Survey:
    def __init__(self, comm, deadline):
        self.comm = comm
        self.deadline = deadline
        self.late = 0

    def ask(self, number, setting):
        for p in range(1, self.comm.size):
            self.comm.send((number, setting), dest=p, tag=ASK)

    def collect(self, number):
        """The answers to this round that arrive before the deadline."""
        answers = {}
        end = time.monotonic() + self.deadline
        while len(answers) < self.comm.size - 1 and time.monotonic() < end:
            status = MPI.Status()
            if not self.comm.iprobe(source=MPI.ANY_SOURCE, tag=ANSWER, status=status):
                time.sleep(0.002)
                continue
            _, value = self.comm.recv(source=status.Get_source(), tag=ANSWER)
            answers[status.Get_source()] = value
        self.late += self.comm.size - 1 - len(answers)
        return answers

    def run(self, settings):
        curve = []
        for number, setting in enumerate(settings):
            self.ask(number, setting)
            answers = self.collect(number)
            time.sleep(0.15)
            curve.append(np.mean(list(answers.values())) if answers else np.nan)
        for p in range(1, self.comm.size):
            self.comm.send(None, dest=p, tag=ASK)
        return np.array(curve)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("--deadline", type=float, default=0.2)
    parser.add_argument("--hiccup", type=int, default=2)
    args = parser.parse_args()
    comm = MPI.COMM_WORLD
    settings = np.arange(args.points, dtype=float)
    if comm.rank == 0:
        survey = Survey(comm, args.deadline)
        curve = survey.run(settings)
        print("answers that came too late:", survey.late)
        for s, c in zip(settings, curve):
            print(f"{s:4.1f} {c:9.4f}")
        fit = np.polyfit(settings[np.isfinite(curve)], curve[np.isfinite(curve)], 2)
        print(f"fitted exponent term {fit[0]:.4f}, offset {fit[2]:.4f}")
    else:
        worker(comm, args.hiccup)


if __name__ == "__main__":
    main()
