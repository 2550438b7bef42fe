"""The service of usage: what projects use of the quotas of those who pay for them."""
