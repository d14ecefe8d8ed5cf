import sqlite3

SCHEMA = """
create table if not exists orbits (
    id integer primary key, a real, e real, lifetime real, ejected integer)
"""


def connect(path):
    db = sqlite3.connect(path, timeout=0.5)
    db.execute(SCHEMA)
    db.commit()
    return db


def insert(db, row):
    db.execute("insert into orbits values (?, ?, ?, ?, ?)", row)


def summary(db):
    return db.execute("select count(*), avg(lifetime), sum(ejected) from orbits").fetchone()
