import sys

from pipeline.env import setup
from pipeline.experiment import Experiment
from pipeline.settings import parse


def main():
    args = parse()
    setup(args)
    exp = Experiment(args)
    exp.pretrain()
    exp.finetune()
    exp.report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
