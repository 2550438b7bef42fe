"""The environment context service: the company's projects, countries and regions."""
