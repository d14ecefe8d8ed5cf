"""Evaluation of a survey."""
