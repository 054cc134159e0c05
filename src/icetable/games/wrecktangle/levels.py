"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.4),
        "casual": Effort(1, notices=0.65),
        "regular": Effort(2),
        "skilled": Effort(56),
        "strong": Effort(300, seconds=1.0),
        "expert": Effort(1_500, seconds=1.0),
        "master": BEST,
    },
}
