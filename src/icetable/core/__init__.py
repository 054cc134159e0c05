"""What all games share: the contract, the two gears, boards, options and records."""
