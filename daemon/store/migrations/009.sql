-- Where the cumulative series of processes stand, all of one function in a row: a batch that tells of a function tells of them all.
-- What was kept before, by a digest for each series, is not carried over.
DROP TABLE call_series;

-- Processes, as their resources tell them apart. `told`: when the batch came that told of one's cumulative series last, `before` the one
-- before that; in milliseconds, 0 for never.
CREATE TABLE call_process (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  told INTEGER NOT NULL,
  before INTEGER NOT NULL
);

-- `function`: its row; of what stands apart a number below 0. `metric`: a number of the one that counts its calls, 0 for none; `told`: until when it told of
-- them, in microseconds. `seen`: the last day of all that was told. `states`: four numbers of eight bytes for each series; `weight`
-- is how many series that are, but one at least.
CREATE TABLE call_series (
  process INTEGER NOT NULL,
  function INTEGER NOT NULL,
  metric INTEGER NOT NULL,
  told INTEGER NOT NULL,
  seen INTEGER NOT NULL,
  weight INTEGER NOT NULL,
  states BLOB NOT NULL,
  PRIMARY KEY (process, function)
) WITHOUT ROWID;

-- What a function was that services still call by its old name, and what it was called before.
CREATE INDEX gone_definition_by_name ON gone_definition (repo_uid, name);
CREATE INDEX gone_definition_by_successor ON gone_definition (repo_uid, replaced_by) WHERE replaced_by IS NOT NULL;
