"""The state of a table, without input or output: plain values and functions, tested without a network.

From the bottom up: `log` and `events` define the stored log; `seats`, `clock`, `positions` and `fairness` each fold a
part of it, `state` the whole. `setup` is fixed at the start. `judge` and `proposals` decide which requests become
entries, `viewers` and `views` who sees what. `chat`, `presence` and `names` are separate from the game.
"""
