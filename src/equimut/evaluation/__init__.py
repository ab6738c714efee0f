"""Judges are compared here: metrics, intervals, significance, calibration, baselines, tables."""
