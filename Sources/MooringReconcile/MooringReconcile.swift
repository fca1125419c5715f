// MooringReconcile
