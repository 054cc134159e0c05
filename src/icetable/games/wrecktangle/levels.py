"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.3),
        "casual": Effort(1, notices=0.5),
        "regular": Effort(2),
        "skilled": Effort(64),
        "strong": Effort(250),
        "expert": Effort(1_000, seconds=2.0),
        "master": BEST,
    },
}
