"""What a table is: its log, seats, clock, chat, views and proofs. No input or output, and no asyncio."""
