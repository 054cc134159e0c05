"""What a game is: the contract, its options and its records."""
