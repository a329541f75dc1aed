"""One small check for each rule of job scripts: a function that yields its findings."""
