// MooringDecisions
