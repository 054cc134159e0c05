"""Files of games, kept apart: the server never runs a designer's code, a process of its own for each file does.

`games` has the games of a file as the server sees them, `process` starts, asks and ends the process, `child` is what
runs in it, and `wire` what the two say to each other.
"""
