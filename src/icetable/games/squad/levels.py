"""The search effort of each level of bots. The steps between levels are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.strength import BEST, PERFECT, Effort, Efforts

EFFORTS: Efforts = {
    1: {
        "beginner": Effort(1, notices=0.2),
        "casual": Effort(1, notices=0.8),
        "skilled": Effort(5, notices=0.92),
        "expert": Effort(24, near=0.9),
        "master": PERFECT,
    },
    3: {
        "beginner": Effort(1, notices=0.12),
        "casual": Effort(1, notices=0.4),
        "skilled": Effort(6, notices=0.95, version=2),
        "expert": Effort(500, near=0.9),
        "master": BEST,
    },
}
