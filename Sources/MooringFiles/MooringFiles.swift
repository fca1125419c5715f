// MooringFiles
