"""The compiler of the rules and its cache, the layout of positions, sets of squares, boards."""
