"""The effort of bots in workshop games without `worth`, which play random games to judge an act."""

from icetable.extras.strength import Effort, Efforts

EFFORTS: Efforts = {
    1: {
        "beginner": Effort(simulations=10, seconds=0.2, notices=0.5),
        "casual": Effort(simulations=50, seconds=0.4, notices=0.8),
        "skilled": Effort(simulations=300, seconds=0.7),
        "expert": Effort(seconds=2.0),
        "master": Effort(seconds=5.0),
    }
}
