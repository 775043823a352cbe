import { Fault } from '../../client/protocol/faults.ts';
import { referenceKinds } from '../model/facts-format.ts';
import type { MirroredEdge, MirroredRef, MirroredSymbol } from '../model/mirrored-rows.ts';
import type { RepoPath } from '../model/paths.ts';
import { openForReading, translated } from './connection.ts';
import { builtIn, type MirrorBuilt, type MirrorState, mirrorKind, stateIn } from './mirror-db.ts';
import { type Prepare, preparer } from './rows.ts';
import { StoreError } from './store-faults.ts';

/** What lies in memory at once: of a server that keeps paths back all files of one name are one. */
const mostInOne = 2_000_000;

/** Everything of one path, in the order of its places. */
export interface MirroredDocument {
  readonly path: RepoPath;
  readonly language: string;
  readonly symbols: readonly MirroredSymbol[];
  readonly refs: readonly Omit<MirroredRef, 'path'>[];
  readonly edges: readonly Omit<MirroredEdge, 'path'>[];
}

/** A mirror, read from its file. Every method throws `StoreError`. */
export interface MirrorReader {
  readonly state: MirrorState;
  /** Undefined where nothing was made of it as it is. */
  readonly built: MirrorBuilt | undefined;
  readonly documentCount: number;
  /** By path. */
  documents(): Iterable<MirroredDocument>;
  /** Undefined for what is somebody else's. */
  symbol(hash: string): Pick<MirroredSymbol, 'name' | 'kind' | 'container'> | undefined;
  /** Looks at every page. */
  checkPages(): void;
  close(): void;
}

export function openMirror(file: string): MirrorReader {
  const connection = openForReading(file, mirrorKind);
  try {
    const prepare = preparer(connection);
    const state = translated(() => stateIn(prepare));
    if (state === undefined) throw new StoreError('corrupt', 'a mirror of nothing');
    const count = prepare<[], { n: number }>('SELECT count(*) AS n FROM document');
    return {
      state,
      built: translated(() => builtIn(prepare)),
      documentCount: translated(() => count.get()!.n),
      documents: () => documentsIn(prepare),
      symbol: hash =>
        translated(() =>
          prepare<[Buffer], Pick<MirroredSymbol, 'name' | 'kind' | 'container'>>(
            'SELECT name, kind, container FROM symbol WHERE hash = ?',
          ).get(Buffer.from(hash, 'hex')),
        ),
      checkPages: () => {
        const said = translated(() => connection.pragma('quick_check(1)', { simple: true }));
        if (said !== 'ok') throw new StoreError('corrupt', `mirror: ${String(said)}`);
      },
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

type SymbolCells = Omit<MirroredSymbol, 'path' | 'hash' | 'column'> & { readonly hash: Buffer; readonly col: number };
interface RefCells {
  readonly line: number;
  readonly col: number;
  readonly kind: number;
  readonly target: Buffer;
  readonly enclosing: Buffer | null;
}
interface EdgeCells {
  readonly line: number;
  readonly col: number;
  readonly caller: Buffer;
  readonly callee: Buffer;
}

function* documentsIn(prepare: Prepare): Generator<MirroredDocument> {
  const documents = translated(() =>
    prepare<[], { id: number; path: RepoPath; language: string }>(
      `SELECT document.id, path, min(language) AS language FROM document JOIN file ON file.document = document.id
       GROUP BY document.id ORDER BY path`,
    ).all(),
  );
  const symbolsOf = prepare<[number], SymbolCells>(
    `SELECT hash, line, col, kind, name, container, signature, documentation FROM symbol WHERE document = ?
     ORDER BY line, col, hash`,
  );
  const refsOf = prepare<[number], RefCells>(
    'SELECT line, col, kind, target, enclosing FROM ref WHERE document = ? ORDER BY line, col, kind, target, enclosing',
  );
  const edgesOf = prepare<[number], EdgeCells>(
    'SELECT line, col, caller, callee FROM edge WHERE document = ? ORDER BY line, col, callee, caller',
  );
  const countOf = prepare<[number], { n: number }>('SELECT count(*) AS n FROM ref WHERE document = ?');
  for (const { id, path, language } of documents) {
    if (translated(() => countOf.get(id)!.n) > mostInOne) {
      throw new Fault('tooLarge', `A file with more than ${mostInOne} references`, { details: { limit: mostInOne } });
    }
    yield translated(() => ({
      ...{ path, language },
      symbols: symbolsOf.all(id).map(({ hash, col, ...row }) => ({ ...row, path, hash: hex(hash), column: col })),
      refs: refsOf.all(id).map(({ line, col, kind, target, enclosing }) => ({
        ...{ line, column: col, target: hex(target) },
        kind: referenceKinds[kind] ?? 'reference',
        enclosing: enclosing === null ? undefined : hex(enclosing),
      })),
      edges: edgesOf.all(id).map(({ line, col, caller, callee }) => ({
        ...{ line, column: col, caller: hex(caller), callee: hex(callee) },
      })),
    }));
  }
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
