"""Options of the sanitizer, and what is known of the process: launcher, platform, libraries."""
