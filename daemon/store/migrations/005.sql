-- Federations: repositories that are asked about together. What is known of them can be found out again, and lies elsewhere.
CREATE TABLE federation (
  uid TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- kind: repository, one that is registered, mirrored or uploaded; path, any other folder. tags: JSON.
CREATE TABLE federation_member (
  federation_uid TEXT NOT NULL,
  repo_uid TEXT NOT NULL,
  repo_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  tags TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (federation_uid, repo_uid),
  UNIQUE (federation_uid, repo_id)
) WITHOUT ROWID;

-- What somebody has said of an edge between contracts: suppressed or verified. It stays while nobody finds the edge.
CREATE TABLE edge_mark (
  federation_uid TEXT NOT NULL,
  edge_id INTEGER NOT NULL,
  mark TEXT NOT NULL,
  said_by TEXT NOT NULL,
  said_at INTEGER NOT NULL,
  reason TEXT,
  PRIMARY KEY (federation_uid, edge_id, mark)
) WITHOUT ROWID;
