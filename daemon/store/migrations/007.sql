-- What was defined once and is no more, by the name that documents know it by. replaced_by: what took its place, if that is
-- clear. containers: JSON list of names, outermost first. The newest so many of a repository are kept.
CREATE TABLE gone_definition (
  repo_uid TEXT NOT NULL,
  symbol TEXT NOT NULL,
  replaced_by TEXT,
  name TEXT NOT NULL,
  containers TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  exported INTEGER NOT NULL,
  gone_at INTEGER NOT NULL,
  PRIMARY KEY (repo_uid, symbol)
) WITHOUT ROWID;
CREATE INDEX gone_definition_by_age ON gone_definition (repo_uid, gone_at);
