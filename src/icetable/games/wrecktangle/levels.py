"""How hard bots think at each level. The steps between them are measured in docs/benchmarks.md, "Levels"."""

from icetable.core.effort import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, notices=0.4),
        "casual": Effort(1, notices=0.58),
        "regular": Effort(1, notices=0.85),
        "able": Effort(4),
        "skilled": Effort(16),
        "strong": Effort(70),
        "seasoned": Effort(300, seconds=1.0),
        "expert": Effort(1_500, seconds=1.0),
        "master": BEST,
    },
}
