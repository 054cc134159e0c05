"""The effort of bots in workshop games, limited by time, as plain Python is slow and a game may be slower still."""

from icetable.extras.strength import Effort, Efforts

EFFORTS: Efforts = {
    1: {
        "beginner": Effort(simulations=6, seconds=0.2, attention=0.5, version=2),
        "casual": Effort(simulations=40, seconds=0.4, attention=0.8, version=2),
        "skilled": Effort(simulations=200, seconds=0.7),
        "expert": Effort(seconds=2.0, visit_ratio=0.9),
        "master": Effort(seconds=5.0, visit_ratio=0.9),
    }
}
