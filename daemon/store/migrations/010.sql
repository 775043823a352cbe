-- Documents that were moved as they were, by the path that they had: nothing is defined in them by which they could be followed.
-- The newest so many of a repository are kept.
CREATE TABLE moved_document (
  repo_uid TEXT NOT NULL,
  path TEXT NOT NULL,
  moved_to TEXT NOT NULL,
  moved_at INTEGER NOT NULL,
  PRIMARY KEY (repo_uid, path)
) WITHOUT ROWID;
CREATE INDEX moved_document_by_age ON moved_document (repo_uid, moved_at);

-- What went for want of room, of each kind (functions, services): how many in all, and when some did last, in milliseconds.
CREATE TABLE call_dropped (
  kind TEXT PRIMARY KEY,
  dropped INTEGER NOT NULL,
  at INTEGER NOT NULL
) WITHOUT ROWID;
