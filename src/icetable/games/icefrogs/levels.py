"""The search effort of each level of bots. The steps between levels are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.strength import BEST, Effort, Efforts

EFFORTS: Efforts = {
    2: {
        "beginner": Effort(1, attention=0.36, version=2),
        "casual": Effort(1, attention=0.72),
        "regular": Effort(10, visit_ratio=0.9),
        "able": Effort(36, visit_ratio=0.9),
        "skilled": Effort(125, visit_ratio=0.9),
        "strong": Effort(430, seconds=1.0, visit_ratio=0.9),
        "seasoned": Effort(1_500, seconds=1.0, visit_ratio=0.9),
        "expert": Effort(3_600, seconds=1.0, visit_ratio=0.9),
        "master": BEST,
    },
}
