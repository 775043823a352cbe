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
