"""The tables that are open: their clients, bots and clocks."""
