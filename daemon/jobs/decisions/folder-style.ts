import {
  type Bullet,
  bullets,
  type DecisionFormat,
  type DecisionNaming,
  type DecisionStyle,
} from '../../model/decision.ts';
import type { RepoPath } from '../../model/paths.ts';
import { ownStyle } from './decision-document.ts';
import type { Decision } from './decisions.ts';

/** How a folder is written: what a document beside the others is to look like. */
export interface FolderStyle {
  readonly style: DecisionStyle;
  readonly naming: DecisionNaming;
  /** The document that it was read off; undefined where there is none to follow. */
  readonly model: RepoPath | undefined;
}

/** A folder that has changed its ways writes as it did of late, and one odd document changes nothing. */
const late = 5;

/**
 * Of the newest documents whose format is known, that of most of them, and as its newest has it; names likewise. A folder that has
 * nothing but categories is written as these are. Lists have the bullet that most lists of all its documents have.
 */
export function folderStyle(decisions: readonly Decision[], folder: RepoPath | undefined): FolderStyle {
  const own = decisions.filter(({ file }) => file.folder === folder);
  const below = decisions.filter(({ file }) => file.folder.startsWith(`${folder}/`));
  const newest = (own.length > 0 ? own : below).toSorted(byAge);
  const styled = newest.filter(({ file }) => file.text.style.format !== undefined).slice(0, late);
  const model = firstOfMost(styled, ({ file }) => String(file.text.style.format));
  const named = newest.flatMap(({ file }) => file.name.naming ?? []).slice(0, late);
  return {
    style: styleLike(model, newest),
    naming: namingOf(named),
    model: (model ?? newest[0])?.file.path,
  };
}

function styleLike(model: Decision | undefined, newest: readonly Decision[]): DecisionStyle {
  if (model === undefined) return { ...ownStyle, bullet: bulletIn(newest) ?? ownStyle.bullet };
  const { lists: _, ...style } = model.file.text.style;
  return { ...style, bullet: bulletIn(newest) ?? style.metadataBullet ?? formatBullet(style.format) };
}

/** Of as many, that of the newest document which has a list with one of them. */
function bulletIn(newest: readonly Decision[]): Bullet | undefined {
  const counts = newest.map(({ file }) => file.text.style.lists);
  const total = (bullet: Bullet): number => counts.reduce((sum, lists) => sum + lists[bullet], 0);
  const most = Math.max(...bullets.map(total));
  const candidates = bullets.filter(bullet => most > 0 && total(bullet) === most);
  const newestWithOne = counts.find(lists => candidates.some(bullet => lists[bullet] > 0));
  return candidates.toSorted((one, other) => newestWithOne![other] - newestWithOne![one])[0];
}

/** As the template has it. */
function formatBullet(format: DecisionFormat | undefined): Bullet {
  return format === 'nygard' ? '-' : ownStyle.bullet;
}

/** As most are numbered or dated, with the ending that most have. */
function namingOf(named: readonly DecisionNaming[]): DecisionNaming {
  const { ending } = firstOfMost(named, one => one.ending) ?? ownNaming;
  return { ...(firstOfMost(named, shapeOf) ?? ownNaming), ending };
}

/** `007-some-title.md`. */
const ownNaming: DecisionNaming = {
  kind: 'number',
  number: { before: '', width: 3, after: '-' },
  wordGap: '-',
  ending: '.md',
};

/** The greatest number first; without numbers the latest. */
function byAge(one: Decision, other: Decision): number {
  const apart = (other.number ?? -1) - (one.number ?? -1);
  return apart !== 0 ? apart : one.file.path < other.file.path ? 1 : -1;
}

function shapeOf(naming: DecisionNaming): string {
  return naming.kind === 'date' ? JSON.stringify([naming.dateGap, naming.after]) : JSON.stringify(naming.number);
}

/** The first of those of which there are most; of as many, those whose first comes first. */
function firstOfMost<Item>(items: readonly Item[], shape: (item: Item) => string): Item | undefined {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(shape(item), (counts.get(shape(item)) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return items.find(item => counts.get(shape(item)) === most);
}
