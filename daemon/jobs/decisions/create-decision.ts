import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { failpoint } from '../../failpoint.ts';
import { baseName, type RepoPath } from '../../model/paths.ts';
import { createTurns } from '../turns.ts';
import { decisionDocument, type NewDecision } from './decision-document.ts';
import type { FolderStyle } from './folder-style.ts';
import { removeLeftovers, temporaryName } from './leftovers.ts';
import { type NewName, newName, sharingNumber } from './new-name.ts';
import { openRealFolder, type RealFolder, UnfitFolder } from './real-folder.ts';

/** A decision that is to be stored. */
interface DecisionOrder extends FolderStyle {
  /** Absolute, real. */
  readonly root: string;
  readonly folder: RepoPath;
  readonly decision: NewDecision;
  /** `2026-01-31`. */
  readonly date: string;
  /** The greatest number of all decisions that are known, those of other folders too. */
  readonly greatest: number;
  readonly signal: AbortSignal;
}

interface StoredDecision {
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

/** A document is larger than what is read of one. */
export class TooLargeDocument extends Error {}

interface DecisionWriter {
  /** Stores it, whole and for good, under a number that nobody else has. */
  store(order: DecisionOrder): Promise<StoredDecision>;
  /** What would be stored, and where: changes nothing. */
  plan(order: DecisionOrder): Promise<StoredDecision>;
}

/**
 * Writes decisions, of one folder one after the other. The content is synced under a name of its own, and linked to its place,
 * which no file that is there can be; then the folder is synced. Other processes may do the same: whoever finds, once it has
 * linked its own, that somebody else bears the number takes its own back and another number. A process that dies leaves a file
 * that the next one takes away, or whoever looks at the folder later on.
 *
 * Throws `UnfitFolder`, `TooLargeDocument`, errors of the system, and the signal's reason before anything is written.
 */
export function createDecisionWriter(): DecisionWriter {
  const folders = new Map<string, { readonly turn: ReturnType<typeof createTurns>; users: number }>();
  return {
    async store(order) {
      const key = `${order.root}/${order.folder}`;
      const queue = folders.get(key) ?? { turn: createTurns(1), users: 0 };
      folders.set(key, queue);
      queue.users++;
      try {
        return await queue.turn(() => stored(order));
      } finally {
        queue.users--;
        if (queue.users === 0) folders.delete(key);
      }
    },
    plan: planned,
  };
}

/** More than ever happens: each means that another process was faster. */
const mostAttempts = 1000;
const longestPauseMs = 20;

async function stored(order: DecisionOrder): Promise<StoredDecision> {
  order.signal.throwIfAborted();
  const folder = await openRealFolder(order.root, order.folder, 'make');
  let isStored = false;
  try {
    await removeLeftovers(folder, Number.POSITIVE_INFINITY);
    const mode = await modeIn(folder, order);
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const found = await attempted(order, folder, mode);
      if (found !== undefined) {
        isStored = true;
        return found;
      }
      order.signal.throwIfAborted();
      await pause((randomBytes(1)[0]! / 255) * longestPauseMs);
    }
    throw new Error('the folder changes faster than a number can be taken');
  } finally {
    if (!isStored) await folder.unmake();
    await folder.close();
  }
}

/** Undefined where somebody else was faster. */
async function attempted(order: DecisionOrder, folder: RealFolder, mode: number): Promise<StoredDecision | undefined> {
  const next = async (): Promise<NewName> => newName({ ...order, title: order.decision.title }, await folder.names());
  const name = await next();
  const text = documentOf(order, name);
  const temporary = temporaryName();
  try {
    await writeWhole(await folder.create(temporary, mode), text);
    if ((await next()).file !== name.file) return undefined;
    failpoint('before-link', name.file);
    if (!(await isLinked(folder, temporary, name.file))) return undefined;
    failpoint('after-link', name.file);
  } finally {
    await folder.unlink(temporary).catch(() => {});
  }
  let isLasting = false;
  try {
    if (sharingNumber(name.file, await folder.names()).length > 0) return undefined;
    await folder.sync();
    isLasting = true;
  } finally {
    if (!isLasting) await folder.unlink(name.file);
  }
  return { id: name.id, path: `${order.folder}/${name.file}`, text };
}

async function writeWhole(file: FileHandle, text: string): Promise<void> {
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** False where the place has been taken, or the file swept away by somebody who can't see this process. */
async function isLinked(folder: RealFolder, from: string, to: string): Promise<boolean> {
  try {
    await folder.link(from, to);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}

async function planned(order: DecisionOrder): Promise<StoredDecision> {
  const folder = await openRealFolder(order.root, order.folder, 'refuse').catch(error => {
    if (error instanceof UnfitFolder && error.reason === 'missing') return undefined;
    throw error;
  });
  try {
    const name = newName({ ...order, title: order.decision.title }, (await folder?.names()) ?? []);
    return { id: name.id, path: `${order.folder}/${name.file}`, text: documentOf(order, name) };
  } finally {
    await folder?.close();
  }
}

/** The most bytes of a document. */
export const mostDocumentBytes = 256 * 1024;

function documentOf({ decision, date, style }: DecisionOrder, { number }: NewName): string {
  const text = decisionDocument(decision, { number, date }, style);
  if (Buffer.byteLength(text) > mostDocumentBytes) throw new TooLargeDocument();
  return text;
}

/** As open to others as the document that it is written like. */
async function modeIn(folder: RealFolder, { model }: DecisionOrder): Promise<number> {
  const stats = model === undefined ? undefined : await folder.stat(baseName(model));
  return stats?.isFile() === true ? (stats.mode & 0o666) | 0o600 : 0o644;
}
