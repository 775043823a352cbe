-- What an index server shows of a repository, as text that tells one way from another, and the sequence from which on it does: rows
-- that it gave before compare with none that it gives now.
CREATE TABLE exposure (
  repo_uid TEXT NOT NULL,
  served_as TEXT NOT NULL,
  server TEXT NOT NULL,
  shown TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (repo_uid, served_as, server)
) WITHOUT ROWID;
