"""The server, in five layers; each imports only from those above it in this list.

messages    the messages between browser and server
table       the model of a table: state, seats, clock, views; no input or output
store       persistence: SQLite or PostgreSQL
live        open tables: their clients, bots and timers
http        the application, its routes and its sockets

`names`, `chat` and `tournament` are models too, without input or output.
"""

HIGHEST_PORT = 65535
