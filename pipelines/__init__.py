"""Timing and front door: Dagster definitions, jobs, schedules, sensors, partitions, the scoretrail command."""
