// MooringCommands
