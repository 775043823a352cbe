import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Fault } from '../../client/protocol/faults.ts';

const longestKey = 4096;

/**
 * The key in a file: of the user's own, and to be read by nobody else. Throws `preconditionFailed`, which names the file and
 * nothing of what is in it.
 */
export async function readKey(file: string, uid: number): Promise<string> {
  // A pipe would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => {
    throw keyFault(file, 'can’t be opened');
  });
  try {
    return await keyIn(handle, file, uid);
  } finally {
    await handle.close();
  }
}

async function keyIn(handle: FileHandle, file: string, uid: number): Promise<string> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw keyFault(file, 'is no file');
  if (stats.uid !== uid) throw keyFault(file, 'is somebody else’s');
  if ((stats.mode & 0o077) !== 0) throw keyFault(file, 'can be read by others: chmod 600');
  if (stats.size > longestKey) throw keyFault(file, 'is too long for a key');
  const key = (await handle.readFile('utf8')).trim();
  // A header's value: what ends a line would begin another.
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) throw keyFault(file, 'holds no key');
  return key;
}

function keyFault(file: string, what: string): Fault {
  return new Fault('preconditionFailed', `The key’s file ${JSON.stringify(file)} ${what}`, {
    details: { reason: 'key_file' },
  });
}
