"""The sandbox: a warm zygote, and one restricted child an evaluation."""
