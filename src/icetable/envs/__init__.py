"""The games as environments for learning and search: batches of games, Gymnasium, PettingZoo and OpenSpiel."""

from icetable.envs.batch import Batch
from icetable.envs.opponents import Frozen, League, warm_up
from icetable.envs.policies import Agent, Model, ModelCard, Program, load_model, models, save_model
from icetable.envs.realtime import RealTime
from icetable.envs.rendering import frame
from icetable.envs.search import Searched, TreeSearch
from icetable.envs.spaces import Spaces, space

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
