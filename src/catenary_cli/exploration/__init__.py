"""The commands that explore a model: batches, studies and live sessions."""
