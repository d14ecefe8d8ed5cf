import logging

from warm import cluster, stages
from warm.config import ClusterConfig, FitConfig


def main():
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    logging.getLogger("warm").setLevel(logging.INFO)
    cluster.connect(ClusterConfig.from_env())
    config = FitConfig()
    stages.teacher(config)
    stages.student(config)


if __name__ == "__main__":
    main()
