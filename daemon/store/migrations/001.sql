-- daemon.db: what cannot be computed again. Migrations only ever add to this; none is edited after a release.

CREATE TABLE repository (
  id TEXT PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  trusted INTEGER NOT NULL,
  added_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE job (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  repo TEXT,
  state TEXT NOT NULL,
  progress INTEGER NOT NULL,
  message TEXT,
  input TEXT NOT NULL,
  result TEXT,
  error TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER
) WITHOUT ROWID;
CREATE INDEX job_by_age ON job (created_at, id);

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE sync_log (
  repo_uid TEXT NOT NULL,
  seq INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  evidence TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  PRIMARY KEY (repo_uid, seq)
) WITHOUT ROWID;

-- Symbols that were there once, and what took their place where the evidence is clear.
CREATE TABLE tombstone (
  repo_uid TEXT NOT NULL,
  symbol TEXT NOT NULL,
  replaced_by TEXT,
  gone_at INTEGER NOT NULL,
  PRIMARY KEY (repo_uid, symbol)
) WITHOUT ROWID;
CREATE INDEX tombstone_by_age ON tombstone (gone_at);

-- deaths: how often the process died while this input was in flight; in_flight: it is now.
CREATE TABLE casualty (
  hash TEXT PRIMARY KEY,
  repo TEXT NOT NULL,
  path TEXT NOT NULL,
  in_flight INTEGER NOT NULL,
  deaths INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE quarantine (
  hash TEXT PRIMARY KEY,
  repo TEXT NOT NULL,
  path TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL
) WITHOUT ROWID;
