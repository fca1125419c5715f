// MooringSQLite
