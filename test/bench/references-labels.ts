/**
 * References of tier fast against labels made by hand (test/fixtures/labels/references).
 *
 *     node dist/test/bench/references-labels.js <language> <checkout…> [--differences]
 *
 * Recall: of labelled occurrences whose definition is in the repository, the share that is linked to an acceptable place.
 * Precision: of labelled occurrences, those of something external included, that are linked to a definition of the
 * repository, the share that is linked to an acceptable place. A candidate is a miss. Each confidence band shows its part
 * of the recall, and the precision of its own links.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinker, type Linker } from '../../daemon/link/linker.ts';
import type { Target } from '../../daemon/model/links.ts';
import type { RepoPath } from '../../daemon/model/paths.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { placesOf, type ReadTree, readTree } from '../support/linked-tree.ts';

interface Label {
  readonly text: string;
  readonly commit: string;
  readonly path: RepoPath;
  /** `line:column`, from 0. */
  readonly position: string;
  readonly name: string;
  /** Acceptable `path:line`, from 1; none where it is external. */
  readonly places: ReadonlySet<string>;
}

interface Verdict {
  readonly label: Label;
  readonly confidence: number | undefined;
  readonly isRight: boolean;
  readonly found: string;
}

const bands: readonly (readonly [string, (confidence: number) => boolean])[] = [
  ['all', () => true],
  ['≥ 0.95', confidence => confidence >= 0.95],
  ['0.8–0.95', confidence => confidence >= 0.8 && confidence < 0.95],
  ['< 0.8', confidence => confidence < 0.8],
];

const words = process.argv.slice(2);
const [language = '', ...checkouts] = words.filter(word => word !== '--differences');
const labels = readLabels(language);
const verdicts: Verdict[] = [];
for (const checkout of checkouts) verdicts.push(...(await judge(checkout)));
report();
if (words.includes('--differences')) listDifferences();

function readLabels(of: string): Label[] {
  const lines = readFileSync(join(packageRoot, 'test/fixtures/labels/references', `${of}.tsv`), 'utf8').split('\n');
  return lines.filter(Boolean).flatMap(row => {
    const [occurrence = '', name = '', target = ''] = row.split('\t');
    if (['local', 'definition', 'unclear'].includes(target)) return [];
    const [, commit, path, line, column] = /^[^@]+@([0-9a-f]+):(.+):(\d+):(\d+)$/.exec(occurrence) ?? [];
    if (commit === undefined || path === undefined || target === '') throw new Error(`no label: ${row}`);
    const places = new Set(target === 'external' ? [] : target.split(' | '));
    const position = `${Number(line) - 1}:${Number(column) - 1}`;
    return [{ text: `${path}:${line}:${column} ${name}`, commit, path: path as RepoPath, position, name, places }];
  });
}

async function judge(checkout: string): Promise<Verdict[]> {
  const head = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const own = labels.filter(({ commit }) => head.startsWith(commit));
  if (own.length === 0) throw new Error(`${checkout} stands at ${head}, of which nothing is labelled`);
  const tree = await readTree(checkout);
  const linker = createLinker(tree);
  const linked = new Map<RepoPath, readonly Target[]>();
  return own.map(label => {
    const targets = linked.get(label.path) ?? linksOf(linker, tree, label.path);
    linked.set(label.path, targets);
    return judged(tree, label, targets);
  });
}

function linksOf(linker: Linker, tree: ReadTree, path: RepoPath): readonly Target[] {
  return tree.document(path) === undefined ? [] : linker.link(path).targets;
}

/** A position may refer to several things: the one that is right counts, or else the first that leads anywhere. */
function judged(tree: ReadTree, label: Label, targets: readonly Target[]): Verdict {
  const here = (tree.document(label.path)?.facts.references ?? []).flatMap((one, index) =>
    `${one.line}:${one.column}` === label.position ? [targets[index]!] : [],
  );
  const links = here.flatMap(target => {
    if (target.kind !== 'symbol') return [];
    const places = placesOf(tree, target).map(lineOfPlace);
    const isRight = places.some(place => label.places.has(place));
    return [{ label, confidence: target.confidence, isRight, found: places.join(' | ') }];
  });
  const nowhere = { label, confidence: undefined, isRight: false, found: here[0]?.kind ?? 'no reference' };
  return links.find(({ isRight }) => isRight) ?? links[0] ?? nowhere;
}

function lineOfPlace(place: string): string {
  const [, path, line] = /^(.+):(\d+):\d+$/.exec(place)!;
  return `${path}:${Number(line) + 1}`;
}

function report(): void {
  const inRepository = verdicts.filter(({ label }) => label.places.size > 0).length;
  const repositories = `${checkouts.length} ${checkouts.length === 1 ? 'repository' : 'repositories'}`;
  print(`${language}, ${repositories}: ${inRepository} labels in them, ${verdicts.length - inRepository} external`);
  print('confidence  linked  right  recall  precision');
  for (const [name, holds] of bands) {
    const linked = verdicts.filter(({ confidence }) => confidence !== undefined && holds(confidence));
    const right = linked.filter(({ isRight }) => isRight).length;
    const share = (of: number): string => (of === 0 ? '-' : (right / of).toFixed(3));
    print(
      `${name.padEnd(10)} ${String(linked.length).padStart(7)} ${String(right).padStart(6)} ` +
        `${share(inRepository).padStart(7)} ${share(linked.length).padStart(10)}`,
    );
  }
}

/** `-` is missed, `!` is wrong. */
function listDifferences(): void {
  for (const { label, confidence, isRight, found } of verdicts) {
    const expected = [...label.places].join(' | ') || 'external';
    if (confidence !== undefined && !isRight) print(`! ${label.text} -> ${found} (${confidence}), not ${expected}`);
    else if (confidence === undefined && label.places.size > 0) print(`- ${label.text} ${found}, not ${expected}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
