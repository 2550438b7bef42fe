"""`catenary import`: assets, parameters and entries of a file, through the services' own rules, all or nothing."""
