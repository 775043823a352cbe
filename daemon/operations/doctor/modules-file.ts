import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { modulesFileProblems } from '../../extract/manifests/declared-modules.ts';
import { readRepositoryFile } from '../../extract/read-file.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { Finding } from '../finding.ts';

const check = 'repository.modules-file';
const file = 'MODULES.toml' as RepoPath;
const named = 5;

/** What of the `MODULES.toml` at the root does not count; nothing where there is none. */
export function modulesFileCheck(root: string): readonly Finding[] {
  const read = readRepositoryFile(root, file);
  if (read.kind !== 'text') return [];
  const isHere = (path: string): boolean => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const problems = modulesFileProblems(new TextDecoder().decode(read.bytes), isHere);
  if (problems.length === 0) return [{ check, status: 'pass', message: `all that ${file} says counts` }];
  const more = problems.length > named ? `; ${problems.length - named} more` : '';
  return [{ check, status: 'warn', message: `${file} ${problems.slice(0, named).join('; ')}${more}` }];
}
