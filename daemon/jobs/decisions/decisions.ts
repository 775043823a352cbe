import { posix } from 'node:path';
import { components } from '../../analysis/graphs/components.ts';
import { digraph } from '../../analysis/graphs/digraph.ts';
import { supersededBy, supersedes } from '../../extract/decisions/decision-links.ts';
import { type DecisionLink, type DecisionProblem, greatestNumber, numberedId } from '../../model/decision.ts';
import type { DecisionFile } from './decision-files.ts';

/** A decision of a repository: what its document says, and how it stands among the others. */
export interface Decision {
  readonly file: DecisionFile;
  /**
   * `ADR-012` by the number of the file, or of its title where the file has none; else `ADR-` and the file's name. In a category
   * `ADR-backend/012`.
   */
  readonly id: string;
  /** Undefined without one, and where it is too great to be one. */
  readonly number: number | undefined;
  readonly title: string;
  readonly createdAt: string;
  readonly createdAtSource: 'document' | 'file-name' | 'file-time';
  readonly links: readonly ResolvedLink[];
  readonly supersedes: readonly string[];
  readonly supersededBy: readonly string[];
  readonly problems: readonly DecisionProblem[];
}

interface ResolvedLink extends DecisionLink {
  /** The decision that it leads to; undefined where it leads to none. */
  readonly id: string | undefined;
}

/** Decisions by category, then by number, those without one last, by path. */
export function decisionsOf(files: readonly DecisionFile[]): readonly Decision[] {
  const named = files.map(file => ({ file, ...identityOf(file) }));
  const known = lookUpOf(named);
  const linked = named.map(one => ({ ...one, ...resolved(one, known) }));
  const replaced = withBothSides(linked);
  const circling = inCycles(linked, replaced);
  return linked
    .map(({ file, id, number, problems, links }, at) => ({
      ...{ file, id, number },
      title: file.text.title ?? titleFrom(file),
      ...createdAt(file),
      links: links.map(({ link, to }) => ({ ...link, id: to?.id })),
      ...replaced[at]!,
      problems: [
        ...file.text.problems,
        ...problems,
        ...sharedId(known, id, file),
        ...(circling.has(at) ? [cycle] : []),
      ],
    }))
    .sort(inOrder);
}

/**
 * The greatest number that counts for those outside of categories; 0 without one. Where no two have the same, numbers go on through
 * all categories; else each begins anew.
 */
export function greatestIn(decisions: readonly Decision[]): number {
  const numbered = decisions.filter(({ number }) => number !== undefined);
  const isAnew = new Set(numbered.map(({ number }) => number)).size < numbered.length;
  const counting = numbered.filter(({ file }) => !isAnew || file.category === '');
  return counting.reduce((greatest, { number = 0 }) => Math.max(greatest, number), 0);
}

interface Named {
  readonly file: DecisionFile;
  readonly id: string;
  readonly number: number | undefined;
  readonly problems: readonly DecisionProblem[];
}

function identityOf({ name, text, category }: DecisionFile): Omit<Named, 'file'> {
  const digits = name.digits ?? (name.date === undefined ? text.numbers[0] : undefined);
  if (digits === undefined) return { id: `ADR-${category}${name.stem}`, number: undefined, problems: [] };
  const id = numberedId(digits, category);
  const other = text.numbers.find(one => one !== digits);
  const problems: DecisionProblem[] = [];
  if (other !== undefined) {
    const message = `the document calls itself ${numberedId(other)} as well`;
    problems.push({ code: 'id_mismatch', message: name.digits === undefined ? message : `${message}, its file ${id}` });
  }
  const number = Number(digits);
  if (number <= greatestNumber) return { id, number, problems };
  const message = `no later number counts on from one over ${greatestNumber}`;
  return { id, number: undefined, problems: [...problems, { code: 'number_out_of_range', message }] };
}

interface LookUp {
  readonly byPath: ReadonlyMap<string, Named>;
  readonly byId: ReadonlyMap<string, readonly Named[]>;
  readonly byNumber: ReadonlyMap<number | undefined, readonly Named[]>;
}

function lookUpOf(all: readonly Named[]): LookUp {
  return {
    byPath: new Map(all.map(one => [one.file.path, one])),
    byId: grouped(all, ({ id }) => id),
    byNumber: grouped(all, ({ number }) => number),
  };
}

function grouped<Key>(all: readonly Named[], keyOf: (one: Named) => Key): ReadonlyMap<Key, readonly Named[]> {
  const groups = new Map<Key, Named[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

interface Resolved {
  readonly links: readonly { readonly link: DecisionLink; readonly to: Named | undefined }[];
  readonly problems: readonly DecisionProblem[];
}

function resolved(one: Named, known: LookUp): Resolved {
  const problems = [...one.problems];
  const links = one.file.text.links.map(link => ({ link, to: targetOf(link, one.file, known) }));
  for (const { link, to } of links) {
    const { relation, label } = link;
    if (!isReplacement(relation)) continue;
    if (to?.id === one.id) problems.push({ code: 'supersedes_itself', message: `says that it is ${relation} itself` });
    if (to !== undefined) continue;
    problems.push({ code: 'missing_target', message: `${relation} ${label.slice(0, 60)}, which is not there` });
  }
  return { links, problems };
}

function isReplacement(relation: string): boolean {
  return relation === supersededBy || relation === supersedes;
}

/** By the path that a link leads to, as it is and as it is decoded; else by the number in its text, near before far. */
function targetOf(
  { target, label }: DecisionLink,
  from: DecisionFile,
  { byPath, byNumber }: LookUp,
): Named | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const path = target.replace(/[?#].*$/s, '');
  for (const spelling of path === '' ? [] : [path, decodedPath(path)]) {
    const absolute = spelling.startsWith('/') ? spelling.slice(1) : posix.join(from.folder, spelling);
    const found = byPath.get(absolute) ?? byPath.get(`${absolute}.md`);
    if (found !== undefined) return found;
  }
  const [, category = '', digits] =
    /(?:adr[-_ #]{0,3}|^\[?#?)((?:\p{L}[^\s/]*\/)*)(?:adr[-_ #]{0,3})?0*(\d{1,6})(?![\w-]*\w)/iu.exec(label) ?? [];
  const bearing = byNumber.get(Number(digits)) ?? [];
  const within = (its: string): Named | undefined => bearing.find(({ file }) => file.category === its);
  if (category !== '') return within(category);
  return within(from.category) ?? within('') ?? (bearing.length === 1 ? bearing[0] : undefined);
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Replacement = Pick<Decision, 'supersedes' | 'supersededBy'>;

/** What one document says of two, both are told. */
function withBothSides(all: readonly (Named & Resolved)[]): readonly Replacement[] {
  const sides = new Map(
    all.map(({ file }) => [file, { supersedes: new Set<string>(), supersededBy: new Set<string>() }]),
  );
  for (const { file, id, links } of all) {
    for (const { link, to } of links) {
      if (to === undefined || to.id === id || !isReplacement(link.relation)) continue;
      const [newer, older] = link.relation === supersedes ? [{ file, id }, to] : [to, { file, id }];
      sides.get(newer.file)!.supersedes.add(older.id);
      sides.get(older.file)!.supersededBy.add(newer.id);
    }
  }
  return [...sides.values()].map(side => ({
    supersedes: [...side.supersedes].sort(),
    supersededBy: [...side.supersededBy].sort(),
  }));
}

/** Those that replace one another in a circle: ids that two bear are one. */
function inCycles(all: readonly Named[], replaced: readonly Replacement[]): ReadonlySet<number> {
  const placeOf = new Map<string, number>();
  for (const { id } of all) if (!placeOf.has(id)) placeOf.set(id, placeOf.size);
  const edges = replaced.flatMap((side, at) =>
    side.supersededBy.map(id => ({ from: placeOf.get(all[at]!.id)!, to: placeOf.get(id)! })),
  );
  const { of, count } = components(digraph(placeOf.size, edges));
  const sizes = new Int32Array(count);
  for (const component of of) sizes[component]!++;
  const isCircling = ({ id }: Named): boolean => sizes[of[placeOf.get(id)!]!]! > 1;
  return new Set(all.flatMap((one, at) => (isCircling(one) ? [at] : [])));
}

const cycle: DecisionProblem = { code: 'superseded_cycle', message: 'decisions supersede one another in a circle' };

function sharedId({ byId }: LookUp, id: string, file: DecisionFile): readonly DecisionProblem[] {
  const other = byId.get(id)!.find(one => one.file !== file);
  return other === undefined ? [] : [{ code: 'duplicate_id', message: `${other.file.path} is ${id} as well` }];
}

function createdAt({ name, text, writtenAt }: DecisionFile): Pick<Decision, 'createdAt' | 'createdAtSource'> {
  if (text.date !== undefined) return { createdAt: text.date, createdAtSource: 'document' };
  if (name.date !== undefined) return { createdAt: `${name.date}T00:00:00.000Z`, createdAtSource: 'file-name' };
  return { createdAt: writtenAt, createdAtSource: 'file-time' };
}

/** The words of the file's name. */
function titleFrom({ name: { stem } }: DecisionFile): string {
  const words = stem
    .replace(/^(?:adr[-_ ]?)?\d[\d-]*[-_. ]*/i, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? stem : words.charAt(0).toUpperCase() + words.slice(1);
}

function inOrder(one: Decision, other: Decision): number {
  const [{ category, path }, { category: otherCategory, path: otherPath }] = [one.file, other.file];
  if (category !== otherCategory) return category < otherCategory ? -1 : 1;
  return order(one) - order(other) || (path < otherPath ? -1 : 1);
}

function order({ number }: Decision): number {
  return number ?? greatestNumber + 1;
}
