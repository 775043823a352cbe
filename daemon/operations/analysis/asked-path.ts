import { invalid } from '../../../client/protocol/faults.ts';
import { join } from '../../model/paths.ts';

const longestBytes = 4096;

/**
 * The path inside the repository that a caller means, by its root, `.` and `..` on the way settled; '' is the root. Throws
 * the fault `invalidParameter` for one that leads outside, whether or not something is there.
 */
export function askedPath(text: string, field: string): string {
  const refuse = (message: string) => invalid('invalidParameter', [{ path: field, message }]);
  if (Buffer.byteLength(text) > longestBytes) throw refuse(`must have at most ${longestBytes} bytes`);
  if (text.includes('\0')) throw refuse('must not hold NUL');
  if (absolute.test(text)) throw refuse('must be relative to the root of the repository');
  const path = join('', text);
  // As Windows reads it, too: no file of a repository is meant by either.
  if (path === undefined || join('', text.replaceAll('\\', '/')) === undefined) {
    throw refuse('must not lead out of the repository');
  }
  return path;
}

/** A path from some root, with a drive, or a URL. */
const absolute = /^[/\\]|^[a-z]:[\\/]|^[a-z][a-z\d+.-]*:\/\//i;
