"""Data-parallel churn model."""
