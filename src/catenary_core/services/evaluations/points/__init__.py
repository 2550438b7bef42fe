"""Points of batches and studies as evaluations: their ids, their answers, and their geometry."""
