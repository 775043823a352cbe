import { quote } from '../../../client/paths.ts';
import { Fault, type SuggestedFix } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import { isMarkdown } from '../../model/document-files.ts';
import { directoryOf } from '../../model/paths.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { askedPath } from '../analysis/asked-path.ts';
import { fix } from '../finding.ts';
import { isNoFile, passedFor } from '../passed-for.ts';
import { isInScope } from '../scope.ts';
import type { LinkedDocument } from './linked-documents.ts';

type Documents = readonly LinkedDocument[];

/** The document at a path. Throws `fileNotFound`, `unsupportedFile` for one that is no document, `invalidParameter`. */
export function documentAt(of: AnalysedSnapshot, documents: Documents, asked: string): LinkedDocument {
  const path = pathAsked(of, asked);
  const found = documents.find(one => one.path === path);
  if (found !== undefined) return found;
  throw noDocument(of, documents, { path, command: 'file' });
}

/** The same, and those in a folder: one without documents has none, and what is no folder is a slip. */
export function documentsAt(of: AnalysedSnapshot, documents: Documents, asked: string): Documents {
  const path = pathAsked(of, asked);
  const found = path === '' ? documents : documents.filter(one => isInScope(one.path, path));
  if (found.length > 0 || path === '') return found;
  const { asked: about, reader, snapshot } = of;
  const isFolder = reader.filesBelow(about.repo.key, snapshot.seq, path, 1).length > 0;
  if (!isFolder || isFile(of, path)) throw noDocument(of, documents, { path, command: 'stale' });
  return found;
}

function isFile({ asked: { repo }, reader, snapshot }: AnalysedSnapshot, path: string): boolean {
  return reader.file(repo.key, snapshot.seq, path) !== undefined;
}

function pathAsked(of: AnalysedSnapshot, text: string): string {
  return askedPath(text, { field: 'path', refusal: 'invalidParameter', isHere: path => isFile(of, path) });
}

/** A path that no document has, and the command of `svc docs` that it was for. */
interface Missed {
  readonly path: string;
  readonly command: 'file' | 'stale';
}

function noDocument(of: AnalysedSnapshot, documents: Documents, missed: Missed): Fault {
  const { asked, reader, snapshot } = of;
  const { path } = missed;
  const file = reader.file(asked.repo.key, snapshot.seq, path);
  const there = documents.map(one => one.path);
  const suggestedFixes = remedies(of, there, missed);
  if (file === undefined || isNoFile(file.skip)) {
    const message = `The repository has no document ${JSON.stringify(path)}${others(there, path)}`;
    return new Fault('fileNotFound', message, { suggestedFixes });
  }
  const passed = file.skip === '' ? 'is somebody else’s' : `was passed over: ${passedFor[file.skip]}`;
  const [why, reason] = isMarkdown(path) ? [passed, file.skip || 'not_ours'] : ['is no Markdown', 'not_markdown'];
  const problem = { path: 'path', message: `${JSON.stringify(path)} ${why}` };
  const details = { path, reason, problems: [problem] };
  return new Fault('unsupportedFile', `${problem.path}: ${problem.message}`, { details, suggestedFixes });
}

function remedies({ asked }: AnalysedSnapshot, there: readonly string[], { path, command }: Missed): SuggestedFix[] {
  const repo = quote(asked.repo.id);
  const meant = nearest(path, there);
  return [
    ...(asked.dirtyFiles > 0 ? [fix(`svc index --repo ${repo}`, 'Bring the index up to date')] : []),
    ...(meant === undefined
      ? []
      : [fix(`svc docs ${command} --repo ${repo} ${quote(meant)}`, 'Ask for that document')]),
    fix(`svc docs stale --repo ${repo}`, 'Ask about all documents'),
    fix(`svc doctor --repo ${repo}`, 'Show which files are passed over, and why'),
  ];
}

/** Nobody reads more of them. */
const mostShown = 5;

/** What documents there are: those of the same folder first. */
function others(there: readonly string[], path: string): string {
  if (there.length === 0) return ', nor any other';
  const folder = directoryOf(path);
  const isBeside = (one: string): boolean => directoryOf(one) === folder;
  const shown = [...there.filter(isBeside), ...there.filter(one => !isBeside(one))].slice(0, mostShown);
  const left = there.length - shown.length;
  return `; it has ${shown.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
}
