"""Time series: numbers that are measured again and again.

Points of 10 seconds lie in memory for a day (`recent`), means of a minute in a file for a month, and hourly
means with their extremes for two years. Each tier is made from the one before it, by `flush`.
"""

from jobs.series.reading import MOST_POINTS, known, mean, newest, read, read_all
from jobs.series.values import ROUNDING, Columns, Point
from jobs.series.writing import flush, record

__all__ = [
    "MOST_POINTS", "ROUNDING", "Columns", "Point", "flush", "known", "mean", "newest", "read", "read_all",
    "record",
]  # fmt: skip
