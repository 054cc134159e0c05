"""What all games share: the contract, the compiled and the plain mode, boards, options and records."""
