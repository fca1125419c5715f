// MooringLedger
