import { addRows } from './add-rows.ts';
import type { DigestSum } from './digest-sum.ts';
import { type Holds, type LinkedDocumentView, unresolvedIn } from './effective-links.ts';
import { tellOfExternal } from './external-rows.ts';
import type { InputDigests } from './inputs.ts';
import { internSymbols } from './intern.ts';
import { currentLink, linkAt, linkBody } from './link-table.ts';
import {
  addPrecise,
  evidenceOf,
  holdingAt,
  type PreciseBatch,
  preciseBody,
  preciseDocumentsOf,
  preciseFor,
} from './precise-table.ts';
import type { FactKey } from './publication.ts';
import type { EvidenceKeeper, Step } from './publish-step.ts';
import { resolutionOf } from './resolution.ts';
import type { LinkRow, Prepare } from './rows.ts';

/** `sum`: of what the precise documents in use add to the evidence id. `read`: what indexers have to read by now. */
export function evidenceKeeper(
  repo: number,
  nowMs: number,
  prepare: Prepare,
  sum: DigestSum,
  read: () => InputDigests,
): EvidenceKeeper {
  let hasAny: boolean | undefined;
  let known: InputDigests | undefined;
  const inputs = (): InputDigests => {
    known ??= read();
    return known;
  };
  return {
    of: (path, key) => {
      hasAny ??= prepare('SELECT 1 FROM precise LIMIT 1').get() !== undefined;
      return hasAny ? (preciseFor(repo, path, key, inputs(), prepare)?.id ?? 0) : 0;
    },
    inputs,
    recount: new Set(),
    count: (id, sign) => {
      sum.add(BigInt(sign) * evidenceOf(id, prepare));
      prepare<[number, number]>('UPDATE precise SET used_at = ? WHERE id = ?').run(nowMs, id);
    },
  };
}

/** Stores what indexers say; returns of which documents. */
export function storeEvidence(
  batch: PreciseBatch,
  { repo, prepare, nowMs }: Step,
): readonly { readonly path: string; readonly key: FactKey }[] {
  const rows = internSymbols([batch], prepare)[0]!;
  for (const [number, told] of batch.told()) tellOfExternal(rows[number]!, told, prepare);
  const arrived: { readonly path: string; readonly key: FactKey }[] = [];
  const posts = { keys: [] as number[], bodies: [] as number[] };
  for (const one of batch.documents) {
    const body = addPrecise(repo, one, target => rows[target]!, nowMs, prepare);
    const targets = new Set<number>();
    const { occurrences } = one.said();
    for (let at = 0; at < occurrences.length; at += 2) targets.add(rows[occurrences[at]!]!);
    for (const target of targets) {
      posts.keys.push(target);
      posts.bodies.push(body);
    }
    arrived.push({ path: one.path, key: one.key });
  }
  addPosts(posts, prepare);
  return arrived;
}

const postsInOneGo = 16 * 1024;

/** In the order of their table. */
function addPosts(
  { keys, bodies }: { readonly keys: readonly number[]; readonly bodies: readonly number[] },
  prepare: Prepare,
): void {
  const order = Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || bodies[a]! - bodies[b]!);
  for (let from = 0; from < order.length; from += postsInOneGo) {
    const values = Array.from(order.subarray(from, from + postsInOneGo), at => [keys[at]!, bodies[at]!]).flat();
    addRows({ insert: 'INSERT OR IGNORE INTO precise_post (key, body)', columns: 2 }, values, prepare);
  }
}

/**
 * Counts anew how documents with precise ones are settled, and how often they leave a name unresolved: those that changed,
 * and those of which an indexer names a symbol that came or went.
 */
export function recount(flipped: readonly number[], step: Step): void {
  const { repo, seq, prepare, evidence, changed } = step;
  for (const symbol of flipped) {
    for (const document of preciseDocumentsOf(symbol, repo, prepare)) evidence.recount.add(document);
  }
  const [before, now] = [holdingAt(repo, seq - 1, prepare), holdingAt(repo, seq, prepare)];
  const leaving: number[] = [];
  for (const document of evidence.recount) {
    const link = currentLink(document, prepare);
    countResolution(linkAt(document, seq - 1, prepare), before, -1, step);
    countResolution(link, now, 1, step);
    if (link !== undefined && (link.evidence !== 0 || changed.has(document))) leaving.push(document);
  }
  countUses(leaving, now, prepare);
}

/** Of a document without a precise one that was done as its links were written: it hangs on nothing else. */
function countResolution(link: LinkRow | undefined, holds: Holds, sign: 1 | -1, step: Step): void {
  if (link === undefined || link.evidence === 0) return;
  const { prepare, isExternal, counts } = step;
  counts.resolution(link.language, resolutionOf(linkedAt(link, prepare), { holds, isExternal }), sign);
}

/** Writes down how often the current versions of documents leave each name unresolved. */
export function countUses(documents: Iterable<number>, holds: Holds, prepare: Prepare): void {
  const stored = prepare<[number, number], { uses: number }>(
    'SELECT uses FROM candidate WHERE key = ? AND document = ?',
  );
  const store = prepare<[number, number, number]>(
    'INSERT INTO candidate (key, document, uses) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET uses = excluded.uses',
  );
  for (const document of documents) {
    const linked = linkedAt(currentLink(document, prepare)!, prepare);
    for (const name of linked.links.unresolvedNames()) {
      const uses = unresolvedIn(linked, name, holds).length;
      if (stored.get(name, document)?.uses !== uses) store.run(name, document, uses);
    }
  }
}

/** What a version of a document's links says, by syntax and by an indexer. */
export function linkedAt(row: LinkRow, prepare: Prepare): LinkedDocumentView {
  return {
    links: linkBody(row.body, prepare),
    precise: row.evidence === 0 ? undefined : preciseBody(row.evidence, prepare),
  };
}
