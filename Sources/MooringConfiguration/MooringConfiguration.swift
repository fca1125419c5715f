// MooringConfiguration
