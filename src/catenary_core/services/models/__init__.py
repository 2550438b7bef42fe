"""Models, their versions, deployments and the parameters of projects."""
