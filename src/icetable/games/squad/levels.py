"""The search effort of each level of bots. The steps between levels are measured in docs/benchmarks.md, "Levels"."""

from icetable.extras.strength import BEST, PERFECT, Effort, Efforts

EFFORTS: Efforts = {
    1: {
        "beginner": Effort(1, attention=0.2),
        "casual": Effort(1, attention=0.8),
        "skilled": Effort(5, attention=0.92),
        "expert": Effort(24, visit_ratio=0.9),
        "master": PERFECT,
    },
    3: {
        "beginner": Effort(1, attention=0.12),
        "casual": Effort(1, attention=0.4),
        "skilled": Effort(6, attention=0.95, version=2),
        "expert": Effort(500, visit_ratio=0.9),
        "master": BEST,
    },
}
