-- What production tells of calls. Services, as those who report them name them; `repository` is what their resources name, `asked`
-- the uid of the repository that a request was for. `events` counts points, times are milliseconds.
CREATE TABLE call_service (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  repository TEXT NOT NULL,
  asked TEXT NOT NULL,
  events INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  UNIQUE (name, repository, asked)
);

-- Functions as services call them. `at_line` tells apart what one process has under one name in one file, else 0; `bare` is the name
-- that a definition would bear. `last_seen` is when it was last called, in milliseconds, `called` the last day with a call. What it was in a repository when somebody last looked: `repo_uid`, `symbol`, `quality`
-- (1 exact, 2 strong, 3 weak). Days count from the epoch.
CREATE TABLE call_function (
  id INTEGER PRIMARY KEY,
  service INTEGER NOT NULL,
  caller TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  file TEXT NOT NULL,
  at_line INTEGER NOT NULL,
  line INTEGER NOT NULL,
  bare TEXT NOT NULL,
  calls INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL,
  called INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  repo_uid TEXT,
  symbol TEXT,
  quality INTEGER,
  UNIQUE (service, name, file, namespace, caller, at_line)
);
-- What took a symbol's place leads back to it.
CREATE INDEX tombstone_successor ON tombstone (repo_uid, replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX call_function_bare ON call_function (bare, service);
CREATE INDEX call_function_symbol ON call_function (repo_uid, symbol) WHERE symbol IS NOT NULL;

-- The days on which a service reported, 32 to a row, one bit each.
CREATE TABLE call_service_days (
  service INTEGER NOT NULL,
  stretch INTEGER NOT NULL,
  days INTEGER NOT NULL,
  PRIMARY KEY (service, stretch)
) WITHOUT ROWID;

-- Calls of each day, 32 days to a row.
CREATE TABLE call_days (
  stretch INTEGER NOT NULL,
  function INTEGER NOT NULL,
  days BLOB NOT NULL,
  PRIMARY KEY (function, stretch)
) WITHOUT ROWID;

-- Where cumulative series stand: a series ends with its process. Times are microseconds, `seen` a day. Those that began to count at
-- `start` are told apart by that as well, but for such whose first point said that they began with it. Some rows tell
-- which metric of a process counts the calls of a function: its number, and until when it has told of them.
CREATE TABLE call_series (
  digest BLOB PRIMARY KEY,
  start INTEGER NOT NULL,
  at INTEGER NOT NULL,
  value INTEGER NOT NULL,
  seen INTEGER NOT NULL
) WITHOUT ROWID;

-- Batches that were taken, by a digest of all that they say: one that comes again counts once. `counted` is how many of its functions
-- have been; a body is there while that is not all of them.
CREATE TABLE call_batch (
  digest BLOB PRIMARY KEY,
  taken_at INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  outcome TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE call_batch_body (
  digest BLOB PRIMARY KEY,
  body BLOB NOT NULL
);
