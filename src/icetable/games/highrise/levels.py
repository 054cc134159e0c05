"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.35, memory=4),
        "casual": Effort(1, notices=0.8, memory=12),
        "skilled": Effort(3, notices=0.95, memory=30),
        "expert": Effort(24, near=0.9),
        "master": BEST,
    },
}
