import { invalid } from '../../../client/protocol/faults.ts';
import { join, repoPath } from '../../model/paths.ts';

const longestBytes = 4096;

/** Where a path came in, and what is there. */
export interface PathQuestion {
  readonly field: string;
  /** As what a path is refused: `invalidBody` where it came in a body. */
  readonly refusal: 'invalidParameter' | 'invalidBody';
  /** Whether the repository has something at exactly that path: then it is one, whatever it looks like (`c:\\x.js`). */
  readonly isHere: (path: string) => boolean;
}

/**
 * The path inside the repository that a caller means, by its root, `.` and `..` on the way settled; '' is the root. Throws
 * where it leads outside, whether or not something is there.
 */
export function askedPath(text: string, { field, refusal, isHere }: PathQuestion): string {
  const refuse = (message: string) => invalid(refusal, [{ path: field, message }]);
  if (Buffer.byteLength(text) > longestBytes) throw refuse(`must have at most ${longestBytes} bytes`);
  if (text.includes('\0')) throw refuse('must not hold NUL');
  if (looksForeign(text) && repoPath(text) !== undefined && isHere(text)) return text;
  if (absolute.test(text)) throw refuse('must be relative to the root of the repository');
  const path = join('', text);
  if (path === undefined || leadsOut(text)) throw refuse('must not lead out of the repository');
  return path;
}

/** What means a file outside to somebody, and yet may be the name of one inside. */
function looksForeign(text: string): boolean {
  return absolute.test(text) || leadsOut(text);
}

/** As Windows reads it, too. */
function leadsOut(text: string): boolean {
  return join('', text.replaceAll('\\', '/')) === undefined;
}

/** A path from some root, with a drive, or a URL. */
const absolute = /^[/\\]|^[a-z]:[\\/]|^[a-z][a-z\d+.-]*:\/\//i;
