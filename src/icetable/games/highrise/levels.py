"""The search effort of each level of bots. The steps between levels are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.strength import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, attention=0.35, memory=4, version=2),
        "casual": Effort(1, attention=0.9, memory=24, version=2),
        "skilled": Effort(3, attention=0.94, memory=48, version=2),
        "expert": Effort(40, visit_ratio=0.9, version=2),
        "master": BEST,
    },
}
