"""From settings and files to findings: reading, parsing, caches, rules, suppression, fixes."""
