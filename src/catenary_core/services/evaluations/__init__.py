"""The evaluations service: runs of the deployed model, and their stored results."""
