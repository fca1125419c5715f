// MooringReporting
