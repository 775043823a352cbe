-- Worktrees of one repository share an index file, which must be found also while their folders are not there.

ALTER TABLE repository ADD COLUMN common_folder TEXT NOT NULL DEFAULT '';
