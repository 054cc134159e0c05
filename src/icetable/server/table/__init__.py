"""The state of a table, without input or output: plain values and functions, tested without a network.

From the bottom up: `log` defines the stored log; `seats`, `clock`, `positions` and `fairness` each fold a part of it,
`state` the whole. `setup` is fixed at the start. `judge` decides which requests become entries, `viewers`, `views` and
`insight` who sees what.
"""
