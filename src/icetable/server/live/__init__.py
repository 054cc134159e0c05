"""Open tables: their clients, bots and clocks."""
