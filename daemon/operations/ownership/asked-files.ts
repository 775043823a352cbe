import { Fault, invalid } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import type { CodeModule } from '../../model/module.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { askedPath } from '../analysis/asked-path.ts';
import { fileRemedies } from '../finding.ts';

/** Files of a snapshot that somebody asks about as one. Paths are from the root that is indexed. */
export interface AskedFiles {
  readonly kind: 'file' | 'directory' | 'module';
  /** '' for the root. */
  readonly path: string;
  readonly moduleId?: string;
  readonly files: readonly string[];
}

/** More than any tree has. */
const most = 2 ** 31 - 1;

/**
 * What a path or a module means; all files where neither is said. Throws `fileNotFound`, `resourceNotFound` for a module that there is
 * not, and `invalidParameter` for both at once or a path that leads out.
 */
export function askedFiles(
  of: AnalysedSnapshot,
  { path, moduleId }: { readonly path?: string; readonly moduleId?: string },
): AskedFiles {
  if (moduleId === undefined) return filesAt(of, path ?? '.');
  if (path !== undefined) throw invalid('invalidParameter', [{ path: 'moduleId', message: 'goes without a path' }]);
  const { path: folder } = knownModule(of, moduleId);
  const files = allFiles(of, folder).filter(file => of.moduleOf(file).id === moduleId);
  return { kind: 'module', path: folder, moduleId, files };
}

/** The module of an id. Throws `resourceNotFound` where there is none. */
export function knownModule(of: AnalysedSnapshot, moduleId: string): CodeModule {
  const { modules } = of.modules();
  const found = modules.find(({ id }) => id === moduleId);
  if (found !== undefined) return found;
  const ids = modules.map(({ id }) => id);
  throw noModule(moduleId, ids);
}

/** The files below a folder, '' for the root. */
export function allFiles({ reader, asked, snapshot }: AnalysedSnapshot, folder: string): readonly string[] {
  return reader.filesBelow(asked.repo.key, snapshot.seq, folder, most);
}

function filesAt(of: AnalysedSnapshot, text: string): AskedFiles {
  const { reader, asked, snapshot } = of;
  const isHere = (one: string): boolean => reader.file(asked.repo.key, snapshot.seq, one) !== undefined;
  const path = askedPath(text, { field: 'path', refusal: 'invalidParameter', isHere });
  if (path !== '' && isHere(path)) return { kind: 'file', path, files: [path] };
  const files = allFiles(of, path);
  if (files.length > 0 || path === '') return { kind: 'directory', path, files };
  throw new Fault('fileNotFound', 'The repository has no file or directory at that path, or ignores it', {
    details: { path },
    suggestedFixes: fileRemedies(asked.repo.id, asked.dirtyFiles > 0),
  });
}

function noModule(id: string, ids: readonly string[]): Fault {
  const meant = nearest(id, ids);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new Fault('resourceNotFound', `There is no module ${JSON.stringify(id)}${hint}`, {
    details: { moduleId: id },
    drilldowns: [{ label: 'The modules that there are', query: '/architecture' }],
  });
}
