"""The games as environments for learning and search: batches of games, Gymnasium, PettingZoo and OpenSpiel."""

from icetable.envs.batch import Batch
from icetable.envs.frames import frame
from icetable.envs.league import Frozen, League
from icetable.envs.models import Model, ModelCard, load_model, models, save_model
from icetable.envs.policies import Agent, Program
from icetable.envs.realtime import RealTime
from icetable.envs.search import Searched, TreeSearch
from icetable.envs.spaces import Spaces, space
from icetable.envs.warming import warm_up

__all__ = [
    "Agent",
    "Batch",
    "Frozen",
    "League",
    "Model",
    "ModelCard",
    "Program",
    "RealTime",
    "Searched",
    "Spaces",
    "TreeSearch",
    "frame",
    "load_model",
    "models",
    "save_model",
    "space",
    "warm_up",
]
