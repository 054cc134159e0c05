"""What a game may add to its rules: lessons, puzzles, a solver, an encoding for learners, levels, a picture."""
