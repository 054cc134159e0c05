"""The messages between client and server, the source of docs/protocol-reference.md and of the front end's types.

Client messages are decoded strictly: unknown fields and overlong texts are errors.
"""

from icetable.server.messages.client import *
from icetable.server.messages.coding import *
from icetable.server.messages.fields import *
from icetable.server.messages.games import *
from icetable.server.messages.opening import *
from icetable.server.messages.playtests import *
from icetable.server.messages.reviews import *
from icetable.server.messages.server import *
from icetable.server.messages.service import *
from icetable.server.messages.tables import *
from icetable.server.messages.tournaments import *
