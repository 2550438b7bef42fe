"""The models service: models, their versions, deployments, and the parameters of projects."""
