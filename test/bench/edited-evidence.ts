/**
 * What is said with an indexer's word after edits that the indexer has not seen:
 *
 *   node dist/test/bench/edited-evidence.js <git checkout> <index.scip[.gz]> [--edits 40] [--seed 1]
 *
 * In a copy of the checkout, at the commit that was indexed, it edits one file at a time (renames a definition that other
 * files use, deletes one, puts lines above, moves a file, each `--edits` times), indexes, and looks at every precise
 * reference of all other files. `stale`: its target is not defined any more where the source says; `cut off`: its target
 * stands, and syntax, to which it is tied, does not lead there any more, so that it does not count; `lost`: another that
 * does not count though its target stands; `in doubt`: it counts, syntax said the same before the edit, and says another
 * thing now. Then the edit is undone, and all must be as it was.
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { createIndexEngine, type IndexEngine } from '../../daemon/jobs/engine.ts';
import type { Range } from '../../daemon/model/facts.ts';
import { lineStarts } from '../../daemon/model/line-starts.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';
import { randomFrom } from '../support/synthetic.ts';
import { cloneOf } from './bench-daemon.ts';
import { bench, benchArguments, say } from './measure.ts';
import { type Definition, type Precise, type PreciseState, preciseState } from './precise-state.ts';

/** Path → text; undefined: the file goes. */
type Edit = ReadonlyMap<string, string | undefined>;

const kinds: Readonly<Record<string, (definition: Definition, text: string) => Edit>> = {
  'rename a definition': ({ path, name, text: old }, text) => new Map([[path, spliced(text, name, `${old}Renamed`)]]),
  'delete a definition': ({ path, whole }, text) => new Map([[path, spliced(text, whole, '')]]),
  'lines above': ({ path }, text) => new Map([[path, `${extname(path) === '.py' ? '#' : '//'} new\n\n${text}`]]),
  'move a file': ({ path }, text) =>
    new Map([
      [path, undefined],
      [join(dirname(path), `moved${basename(path)}`), text],
    ]),
};

interface Tally {
  stale: number;
  lost: number;
  cutOff: number;
  inDoubt: number;
  /** References whose target went, and which are left to syntax. */
  fallen: number;
  checked: number;
}

const { operands, flag } = benchArguments();
const random = randomFrom(flag('seed', 1));

await bench(async cleanup => {
  const root = realpathSync(cloneOf(resolve(operands[0] ?? '.'), cleanup));
  const home = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  cleanup.after(() => rmSync(home, { recursive: true, force: true }));
  const repo = { id: 'edited', root, indexFile: join(home, 'index.db'), worktreeKey: 'main', trusted: false };
  const engine = createIndexEngine({ shadowFolder: join(home, 'shadow') });
  cleanup.after(() => engine.close());
  await engine.index(repo, { kind: 'recrawl', reason: 'start' });
  const file = resolve(operands[1] ?? '');
  const { outcome } = await engine.ingestScip(repo, { parts: [{ file }], seen: { kind: 'tree' } });
  say('documents, occurrences', `${outcome.joined} of ${outcome.documents}`, `${outcome.occurrences}`);
  const targets = usedElsewhere(repo);
  say('definitions used in other files', `${targets.length}`);
  for (const [kind, edit] of Object.entries(kinds)) {
    const tally: Tally = { stale: 0, lost: 0, cutOff: 0, inDoubt: 0, fallen: 0, checked: 0 };
    for (let round = 0; round < flag('edits', 40); round++) {
      const definition = targets[Math.floor(random() * targets.length)]!;
      const text = readFileSync(join(root, definition.path), 'utf8');
      await tryEdit(engine, repo, definition, edit(definition, text), kind, tally);
    }
    const { checked, fallen, cutOff, stale, lost, inDoubt } = tally;
    const leftToSyntax = [`${fallen} fallen back`, `${cutOff} cut off`];
    say(kind, `${checked} looked at`, ...leftToSyntax, `${stale} stale`, `${lost} lost`, `${inDoubt} in doubt`);
  }
});

/** The first site of each definition that an indexer says is used in another file, where its name stands once. */
function usedElsewhere({ indexFile, worktreeKey }: RepositoryRecord): readonly Definition[] {
  const state = preciseState(indexFile, worktreeKey);
  try {
    const found = new Map<number, Definition>();
    for (const { symbol, path } of state.precise) {
      if (found.has(symbol) || state.isExternal(symbol) || !state.holds(symbol)) continue;
      const sites = state.sites(symbol);
      if (sites.length === 1 && sites[0]!.path !== path) found.set(symbol, sites[0]!);
    }
    return [...found.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  } finally {
    state.close();
  }
}

/** Rows of an index file are numbered as they come, which is not the same from run to run. */
function placeOf({ path, name: { startLine, startColumn } }: Definition): string {
  return `${path} ${startLine} ${startColumn}`;
}

async function tryEdit(
  engine: IndexEngine,
  repo: RepositoryRecord,
  definition: Definition,
  edit: Edit,
  kind: string,
  tally: Tally,
): Promise<void> {
  const before = preciseState(repo.indexFile, repo.worktreeKey);
  const undo = write(repo.root, edit);
  const changes = { kind: 'paths', paths: new Set(edit.keys()) } as const;
  await engine.index(repo, changes);
  const after = preciseState(repo.indexFile, repo.worktreeKey);
  judge({ before, after, definition, edit, kind, root: repo.root }, tally);
  undo();
  await engine.index(repo, changes);
  const again = preciseState(repo.indexFile, repo.worktreeKey);
  const isSame =
    again.snapshotId === before.snapshotId &&
    again.evidenceId === before.evidenceId &&
    again.precise.length === before.precise.length &&
    again.precise.every((one, at) => counts(again, one) === counts(before, before.precise[at]!));
  if (!isSame) throw new Error(`${kind} of ${definition.text} in ${definition.path}: not undone`);
  for (const state of [before, after, again]) state.close();
}

function counts(state: PreciseState, { symbol, bySyntax }: Precise): boolean {
  return state.holds(symbol) && bySyntax !== false;
}

type Verdict = 'good' | 'stale' | 'lost' | 'fallen';

interface Case {
  readonly before: PreciseState;
  readonly after: PreciseState;
  readonly definition: Definition;
  readonly edit: Edit;
  readonly kind: string;
  readonly root: string;
}

function judge({ before, after, definition, edit, kind, root }: Case, tally: Tally): void {
  const relinked = after.linkedSince(before.seq);
  const verdicts = new Map<number, Verdict>();
  const verdictOf = (symbol: number): Verdict => {
    if (before.isExternal(symbol)) return 'good';
    const sites = before.sites(symbol);
    const isTaken = kind === 'move a file' && sites.every(({ path }) => edit.has(path));
    const isGone = isTaken || (kind.includes('definition') && sites.every(site => isWithin(site, definition, kind)));
    if (!before.holds(symbol)) return after.holds(symbol) ? 'stale' : 'good';
    if (!after.holds(symbol)) return isGone ? 'fallen' : 'lost';
    return after.sites(symbol).some(site => stands(root, site)) ? 'good' : 'stale';
  };
  for (const one of after.precise) {
    if (edit.has(one.path)) continue;
    const verdict = verdicts.get(one.symbol) ?? verdictOf(one.symbol);
    verdicts.set(one.symbol, verdict);
    tally.checked++;
    if (verdict === 'good' && one.bySyntax === false) {
      tally.cutOff++;
    } else if (verdict !== 'good') {
      tally[verdict]++;
      if (verdict !== 'fallen') say(`  ${verdict}`, one.path, `${kind} ${definition.text} ${definition.path}`);
    } else if (relinked.has(one.document)) {
      const [old, now] = [before, after].map(state => state.bySyntax(one.document, state.seq).get(one.index));
      if (old === one.symbol && now !== one.symbol) tally.inDoubt++;
    }
  }
}

/** Whether a definition goes with the one that is edited. */
function isWithin(site: Definition, { path, symbol, whole }: Definition, kind: string): boolean {
  if (kind === 'rename a definition' && site.symbol === symbol) return true;
  const { startLine, startColumn } = site.name;
  const begins = whole.startLine < startLine || (whole.startLine === startLine && whole.startColumn <= startColumn);
  const ends = whole.endLine > startLine || (whole.endLine === startLine && whole.endColumn > startColumn);
  return site.path === path && begins && ends;
}

/** Whether the file on disk has the name where the index says. */
function stands(root: string, { path, name, text }: Definition): boolean {
  const source = readFileSync(join(root, path), 'utf8');
  const start = lineStarts(source)[name.startLine]! + name.startColumn;
  return source.startsWith(text, start) || source.startsWith(text, start + 1);
}

function spliced(text: string, { startLine, startColumn, endLine, endColumn }: Range, put: string): string {
  const starts = lineStarts(text);
  return text.slice(0, starts[startLine]! + startColumn) + put + text.slice(starts[endLine]! + endColumn);
}

/** Returns what undoes it. */
function write(root: string, edit: Edit): () => void {
  const old = [...edit.keys()].map(path => [path, textAt(join(root, path))] as const);
  for (const [path, text] of edit) put(join(root, path), text);
  return () => {
    for (const [path, text] of old) put(join(root, path), text);
  };
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function put(path: string, text: string | undefined): void {
  if (text === undefined) rmSync(path);
  else writeFileSync(path, text);
}
