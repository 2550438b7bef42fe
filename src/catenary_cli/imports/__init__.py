"""`catenary import`: the assets, parameters and entries of a file, under the services' own rules, all or nothing."""
