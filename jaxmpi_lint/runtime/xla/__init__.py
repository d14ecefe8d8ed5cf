"""What the sanitizer knows of JAX programs: which collectives an executable holds, and what else must agree."""
