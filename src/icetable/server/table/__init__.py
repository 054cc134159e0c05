"""What a table is, without input or output: every module is plain values and functions, tested without a network.

From below: `log` and `events` are what is stored of a table; `seats`, `clock`, `positions` and `fairness` each fold a
part of it, and `state` the whole. `setup` is settled at the start. `judge` and `proposals` decide which requests become
entries, `viewers` and `views` who sees what. `chat`, `presence` and `names` stand beside the game.
"""
