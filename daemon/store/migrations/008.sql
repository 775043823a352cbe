-- Batches that were taken go by their age.
CREATE INDEX call_batch_age ON call_batch (taken_at);
-- Whether something of a repository is surely known to be called, and of late.
CREATE INDEX call_function_called ON call_function (repo_uid, called) WHERE symbol IS NOT NULL AND quality < 3;
