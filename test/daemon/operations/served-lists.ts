import { everythingExposed, type Privacy } from '../../../daemon/model/privacy.ts';
import { answerList } from '../../../daemon/operations/index-server/answer-list.ts';
import {
  type EarlierSnapshot,
  type ListAsked,
  type ListCall,
  listCursors,
  type SnapshotPlace,
} from '../../../daemon/operations/index-server/list-call.ts';
import { symbolSearch } from '../../../daemon/operations/symbols/search.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import type { Cleanup } from '../../support/repository.ts';

/** Rows of any list: what they say is compared, not read. */
export type Row = Readonly<Record<string, unknown>>;
export interface Answer {
  readonly data: Readonly<Record<string, readonly Row[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The lists of one snapshot of an index file, as a served index shows them. */
export interface ServedLists {
  readonly at: EarlierSnapshot;
  readonly reader: IndexReader;
  ask(list: ListAsked, limit?: number, cursor?: string): Answer;
  /** All rows of a list, page by page. */
  walk(list: ListAsked, limit?: number): readonly Row[];
  changesSince(earlier: EarlierSnapshot, limit?: number): readonly Answer[];
}

export interface ListsOptions {
  readonly privacy?: Partial<Privacy>;
  readonly secret?: string;
  readonly seq?: number;
  readonly key?: string;
}

export const nowMs = Date.UTC(2026, 0, 1);

/** Of the newest snapshot, unless `seq` says another. */
export function servedLists(context: Cleanup, indexFile: string, options: ListsOptions = {}): ServedLists {
  const reader = openIndexReader(indexFile);
  context.after(() => reader.close());
  const search = symbolSearch(reader, 2 ** 20);
  const key = options.key ?? 'main';
  const fileSeq = options.seq ?? reader.snapshot(key)!.seq;
  const of: SnapshotPlace = { syncSeq: fileSeq, epoch: reader.epoch, fileSeq };
  const cursor = { secret: 'ab'.repeat(32), binding: [] };
  const as = {
    id: 'acme/x',
    privacy: { ...everythingExposed, ...options.privacy },
    secret: options.secret ?? 'cd'.repeat(32),
  };
  const others = new Map<string, IndexReader>();
  const other = (file: string): IndexReader => {
    const opened = others.get(file) ?? openIndexReader(file);
    if (!others.has(file)) context.after(() => opened.close());
    others.set(file, opened);
    return opened;
  };
  const ask = (list: ListAsked, limit = 1000, at?: string): Answer => {
    const values = at === undefined ? undefined : listCursors(cursor).read(at)!;
    const call: ListCall = {
      ...{ file: { indexFile, key }, of, as, list, limit, isClamped: false, cursor, now: nowMs },
      from: values === undefined ? undefined : { position: values[3], given: values[4] },
    };
    const answer = reader.together(() => answerList({ reader, layersOf: search.layersOf }, call, other));
    return JSON.parse(JSON.stringify(answer)) as Answer;
  };
  const pages = (list: ListAsked, limit: number): readonly Answer[] => {
    const all: Answer[] = [];
    for (let at: string | undefined, isMore = true; isMore; ) {
      const answer = ask(list, limit, at);
      all.push(answer);
      at = answer.meta['cursor'] as string | undefined;
      isMore = answer.meta['has_more'] === true;
    }
    return all;
  };
  return {
    at: { indexFile, fileSeq },
    reader,
    ask,
    walk: (list, limit = 1000) => pages(list, limit).flatMap(({ data }) => Object.values(data)[0]!),
    changesSince: (before, limit = 1000) => pages({ kind: 'changes', since: 0, before }, limit),
  };
}

export const noFilter = { language: undefined, symbolKind: undefined, file: undefined } as const;
export const everySymbol = { kind: 'symbols', ...noFilter } as const;
export const everyRef = { kind: 'refs', language: undefined, fromFile: undefined, to: undefined } as const;
export const everyCall = {
  kind: 'callgraph',
  ...{ language: undefined, caller: undefined, callee: undefined, callerFile: undefined },
} as const;
