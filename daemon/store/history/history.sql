-- One history file beside an index file, for all worktrees of a git common folder: what git says of commits, which never
-- changes, and where worktrees stand. All of it can be computed again, so an older schema is rebuilt, never migrated.
-- digest: over the row's other columns.

-- epoch: made with the file; numbers of another are others.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Facts of commits, many in a row, with the paths and people that are met in them first: see commit-codec.ts. All of them are
-- numbered, from 1, as they come. first: the number of its first commit. The last row may be taken away for a longer one
-- which begins at the same; one of paths alone stays.
CREATE TABLE commits (id INTEGER PRIMARY KEY AUTOINCREMENT, first INTEGER NOT NULL, body BLOB NOT NULL, digest BLOB NOT NULL);
-- How many lines the changes of commits added and took away: counted later, and never again.
CREATE TABLE lines (id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL, digest BLOB NOT NULL);

-- Where a worktree's HEAD is: all that it came from is stored, as far as `boundary` (where a shallow clone ends) lets git see.
-- commits: how many that are. tree: its files, see tree-codec.ts.
CREATE TABLE head (
  worktree TEXT PRIMARY KEY,
  hash BLOB NOT NULL,
  boundary TEXT NOT NULL,
  commits INTEGER NOT NULL,
  tree BLOB NOT NULL,
  digest BLOB NOT NULL
) WITHOUT ROWID;

-- What a part of a worktree's model was made of when it was brought up to date last: a digest of each of its entries, as JSON.
CREATE TABLE refreshed (
  worktree TEXT NOT NULL,
  scope TEXT NOT NULL,
  entries TEXT NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (worktree, scope)
) WITHOUT ROWID;

-- Which commits wrote the lines of a content at a path, where `basis` was what had been done to it last.
CREATE TABLE blame (
  id INTEGER PRIMARY KEY,
  path INTEGER NOT NULL,
  blob BLOB NOT NULL,
  basis BLOB NOT NULL,
  runs BLOB NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (path, blob, basis)
);
