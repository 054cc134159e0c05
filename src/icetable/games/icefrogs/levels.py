"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.4),
        "casual": Effort(1, notices=0.6),
        "regular": Effort(1, notices=0.85),
        "able": Effort(12, near=0.9),
        "skilled": Effort(80, near=0.9),
        "strong": Effort(500, seconds=1.0, near=0.9),
        "expert": Effort(4_000, seconds=1.0, near=0.9),
        "master": BEST,
    },
}
