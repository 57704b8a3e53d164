"""What a run came to, in figures, words and pictures."""
