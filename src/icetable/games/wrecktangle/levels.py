"""The search effort of each level of bots. The steps between levels are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.strength import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, attention=0.25, version=2),
        "casual": Effort(1, attention=0.58),
        "regular": Effort(1, attention=0.85),
        "able": Effort(8),
        "skilled": Effort(28),
        "strong": Effort(85),
        "seasoned": Effort(600, seconds=1.0),
        "expert": Effort(3_500, seconds=1.0),
        "master": BEST,
    },
    3: {
        "beginner": Effort(1, attention=0.15),
        "casual": Effort(1, attention=0.27),
        "regular": Effort(1, attention=0.5),
        "able": Effort(1, attention=0.85),
        "skilled": Effort(8),
        "strong": Effort(48),
        "seasoned": Effort(250, seconds=1.0),
        "expert": Effort(1_500, seconds=1.0),
        "master": BEST,
    },
}
