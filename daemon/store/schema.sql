-- One index file: everything in it can be computed again from the files, so an older schema is rebuilt, never migrated.
--
-- Rows with (from_seq, to_seq) hold for the snapshots from_seq <= seq < to_seq of their repository; 2147483647 is open.
-- Document ids are repo * 2^24 + n, so that the rows of one repository are one range in every table keyed by document.

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE repo (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  next_document INTEGER NOT NULL
);

CREATE TABLE snapshot (
  repo INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  evidence TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  counts TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (repo, seq)
) WITHOUT ROWID;

-- Stays while any version of the document does, so that ids are stable over edits.
CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  repo INTEGER NOT NULL,
  path TEXT NOT NULL,
  UNIQUE (repo, path)
);

CREATE TABLE stat (document INTEGER PRIMARY KEY, size INTEGER, mtime_ms REAL, ctime_ms REAL, inode REAL);

-- The manifest. version: the extractor's, 0 without facts.
CREATE TABLE entry (
  document INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  hash BLOB NOT NULL,
  dialect TEXT NOT NULL,
  version INTEGER NOT NULL,
  scope TEXT NOT NULL,
  skip TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (document, from_seq)
) WITHOUT ROWID;

-- Bodies stand apart from the rows that change, so that closing a version never rewrites them.
CREATE TABLE fact (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  dialect TEXT NOT NULL,
  version INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  UNIQUE (hash, dialect, version)
);
-- digest: of the facts. They stand before the text, so that reading them alone touches no page of it.
CREATE TABLE fact_body (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  text_digest BLOB NOT NULL,
  facts BLOB NOT NULL,
  text BLOB NOT NULL
);

-- What the references of a document point at. evidence: the precise document in use, 0 for syntax alone.
CREATE TABLE link (
  document INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  fact INTEGER NOT NULL,
  body INTEGER NOT NULL,
  is_test INTEGER NOT NULL,
  language TEXT NOT NULL,
  evidence INTEGER NOT NULL DEFAULT 0,
  digest BLOB NOT NULL,
  PRIMARY KEY (document, from_seq)
) WITHOUT ROWID;
-- asked: hashes of the questions that the links rest on and the groups of references that asked them (asked.ts), behind
-- the body, so that reading that alone touches no page of them.
CREATE TABLE link_body (id INTEGER PRIMARY KEY, digest BLOB NOT NULL, body BLOB NOT NULL, asked BLOB NOT NULL);

-- Where an indexer says that the references of a document point: for its path with that content, read by that extractor,
-- whether the tree has it now or not. Each worktree has its own, for what else is in a tree decides what names mean.
-- imported: somebody brought it, 0 where an indexer that we ran says so. content: what it says, by no row number, for evidence ids; context: of what else the indexer saw. What is said again in
-- another context has the same body. digest: of the row and the body.
CREATE TABLE precise (
  id INTEGER PRIMARY KEY,
  repo INTEGER NOT NULL,
  path TEXT NOT NULL,
  hash BLOB NOT NULL,
  dialect TEXT NOT NULL,
  version INTEGER NOT NULL,
  indexer TEXT NOT NULL,
  imported INTEGER NOT NULL,
  content BLOB NOT NULL,
  context TEXT NOT NULL,
  body INTEGER NOT NULL,
  digest BLOB NOT NULL,
  used_at INTEGER NOT NULL
);
CREATE INDEX precise_of ON precise (repo, path, hash, dialect, version);
CREATE INDEX precise_seen ON precise (repo, context);
CREATE INDEX precise_with ON precise (body);
CREATE TABLE precise_body (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
-- In which bodies a symbol occurs.
CREATE TABLE precise_post (key INTEGER NOT NULL, body INTEGER NOT NULL, PRIMARY KEY (key, body)) WITHOUT ROWID;

CREATE TABLE symbol (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE);
CREATE TABLE external (symbol INTEGER PRIMARY KEY, manager TEXT NOT NULL, package TEXT NOT NULL, name TEXT NOT NULL);
-- What the indexer said last of one that an index tells more of.
CREATE TABLE external_told (
  symbol INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  signature TEXT NOT NULL,
  documentation TEXT NOT NULL
);
CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- Hints: in which documents to look. They cover every version that is kept; a reader finds in the link body whether
-- its snapshot has the row. So a save that moves lines writes none of them.
CREATE TABLE definition (key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;
CREATE TABLE post (key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;
CREATE TABLE bearer (key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;
-- uses: how often in the newest snapshot, 0 where only an older one that is kept has the name unresolved.
CREATE TABLE candidate (
  key INTEGER NOT NULL,
  document INTEGER NOT NULL,
  uses INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;

-- Recorded questions of the newest snapshot, by hash: two that collide cost a relinking, never a wrong link.
CREATE TABLE question (key INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (key, document)) WITHOUT ROWID;

-- Which documents a publication touched: where the collector looks for versions that nobody can ask for any more.
CREATE TABLE changed (
  repo INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  document INTEGER NOT NULL,
  PRIMARY KEY (repo, seq, document)
) WITHOUT ROWID;
