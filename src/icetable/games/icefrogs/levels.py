"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.5),
        "casual": Effort(1, notices=0.72),
        "regular": Effort(10, near=0.9),
        "able": Effort(45, near=0.9),
        "skilled": Effort(200, seconds=1.0, near=0.9),
        "strong": Effort(900, seconds=1.0, near=0.9),
        "seasoned": Effort(4_000, seconds=1.0, near=0.9),
        "expert": Effort(18_000, seconds=1.0, near=0.9),
        "master": BEST,
    },
}
