"""Exchange between the processes and hosts of a job."""
