"""Time series: numbers that were measured again and again, in a file of their own.

Raw points are kept for two days, averages over 5 minutes for 30 days and hourly ones for two years.
"""

from jobs.series.reading import known, newest, read
from jobs.series.values import Columns, Point
from jobs.series.writing import record, thin

__all__ = ["Columns", "Point", "known", "newest", "read", "record", "thin"]
