"""Phase-field relaxation with pluggable observers."""
