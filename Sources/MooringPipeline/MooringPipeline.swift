// MooringPipeline
