import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { keptFiles, whyNotRead } from '../../extract/kept-file.ts';
import { modulesFileProblems } from '../../extract/manifests/declared-modules.ts';
import { defaultSourceLimits } from '../../extract/read-file.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { Finding } from '../finding.ts';

const check = 'repository.modules-file';
const file = 'MODULES.toml' as RepoPath;
const named = 5;

/** What of the `MODULES.toml` at the root does not count; nothing where there is none. */
export function modulesFileCheck(root: string): readonly Finding[] {
  const read = texts.at(root, file);
  const notRead = whyNotRead(read, mostBytes);
  if (notRead !== undefined) {
    return [{ check, status: 'warn', message: `${file} ${notRead}: no module is described by it` }];
  }
  if (read.kind !== 'read') return [];
  const problems = modulesFileProblems(read.value, path => isThere(join(root, path)));
  if (problems.length === 0) return [{ check, status: 'pass', message: `all that ${file} says counts` }];
  const more = problems.length > named ? `; ${problems.length - named} more` : '';
  return [{ check, status: 'warn', message: `${file} ${problems.slice(0, named).join('; ')}${more}` }];
}

const { bytes: mostBytes } = defaultSourceLimits;
const texts = keptFiles(bytes => new TextDecoder().decode(bytes), mostBytes, { mostKept: 1 });

/** The file may say anything: what can't be the name of a file is not there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
