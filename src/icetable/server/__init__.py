"""The server, in five floors; each imports only from those above it in this list.

messages    what travels between browser and server
table       what a table is: state, seats, clock, chat, views; no input or output
store       where tables are kept: SQLite or PostgreSQL
live        tables that are open: their clients, bots and timers
http        the application, its routes and its sockets
"""

HIGHEST_PORT = 65535
