-- What went for want of room, of each kind (functions, services): how many in all, and when some did last, in milliseconds.
CREATE TABLE call_dropped (
  kind TEXT PRIMARY KEY,
  dropped INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
