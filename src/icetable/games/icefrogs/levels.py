"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.4),
        "casual": Effort(1, notices=0.7),
        "regular": Effort(4, notices=0.97),
        "skilled": Effort(600, seconds=1.0, near=0.9),
        "strong": Effort(2_500, seconds=2.0, near=0.9),
        "expert": Effort(8_000, seconds=2.0, near=0.9),
        "master": BEST,
    },
}
