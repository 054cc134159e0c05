"""Games of others, for benchmarks of the lab."""
