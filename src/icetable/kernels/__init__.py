"""What the rules are compiled with: the compiler and its cache, the layout of a position, sets of squares, boards."""
