"""From settings and files to findings: reading, pools, caches, running rules, suppression, repairs."""
