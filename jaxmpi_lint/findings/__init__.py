"""The data shapes of findings, and the errors a user can cause."""
