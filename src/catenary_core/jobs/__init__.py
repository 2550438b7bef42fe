"""Jobs for workers: the queue, and the handover to a worker that waits in this process."""
