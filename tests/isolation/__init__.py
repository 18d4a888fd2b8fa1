"""What code must not be able to do, as one table of properties, tried on every backend that this machine has."""
