-- The index server: repositories that came as uploads or from other servers, the keys of those who ask, and mirrors.

-- tree: a work tree; upload: a SCIP file that somebody sent; mirror: what another index server serves. Only trees have a root.
ALTER TABLE repository ADD COLUMN source TEXT NOT NULL DEFAULT 'tree';

-- Which file a publication is in, and its sequence there: what a mirror has is compared with what there is now.
ALTER TABLE sync_log ADD COLUMN epoch TEXT NOT NULL DEFAULT '';
ALTER TABLE sync_log ADD COLUMN file_seq INTEGER NOT NULL DEFAULT 0;

-- Where the sync logs of repositories ended that were removed: whoever has a mirror of one knows its sequences, and another of
-- the id must give none of them a second meaning. place: what was removed last has the highest.
CREATE TABLE sync_floor (place INTEGER PRIMARY KEY, repo TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL);

-- What is known of an index that has no tree beside it. epoch: which of the files in its folder it is; '' for index.db.
CREATE TABLE hosted (
  repo_uid TEXT PRIMARY KEY,
  epoch TEXT NOT NULL,
  commit_hash TEXT NOT NULL,
  indexer TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) WITHOUT ROWID;

-- digest: SHA-256 of the secret, which has 256 random bits; after a rotation that of the new one alone, so that the old one stands
-- for nothing. Those of revoked keys stay, so that their bearers are told. scopes, repos: JSON. expired: it was seen to be past its
-- time, whatever clocks say later.
CREATE TABLE access_key (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL,
  digest BLOB NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  repos TEXT NOT NULL,
  rate_limit INTEGER,
  created_at INTEGER NOT NULL,
  rotated_at INTEGER,
  expires_at INTEGER,
  expired INTEGER NOT NULL DEFAULT 0,
  revoked_at INTEGER,
  last_used_at INTEGER
) WITHOUT ROWID;

CREATE TABLE remote (
  repo_uid TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  remote_repo TEXT NOT NULL,
  token_file TEXT,
  sync_seq INTEGER,
  synced_at INTEGER,
  error TEXT
) WITHOUT ROWID;
