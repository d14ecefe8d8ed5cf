from .timer import Section, table
