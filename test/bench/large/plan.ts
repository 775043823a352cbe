import { randomFrom } from '../../support/synthetic.ts';
import { nouns, roles, verbs } from './words.ts';

/**
 * What a large made-up repository defines and what its files use of each other, before any of it is written: packages of
 * 50 to 200 files in folders of about 16. A file uses files before it alone, so that there are no cycles; the first
 * packages, and the first files of each, are used the most, as in trees that grew.
 */
export const languages = ['typescript', 'python', 'go', 'java'] as const;
export type Language = (typeof languages)[number];

export interface PackagePlan {
  readonly language: Language;
  /** In lower case, unique in the tree. */
  readonly name: string;
  /** Of the same language. */
  readonly uses: readonly PackagePlan[];
  readonly files: FilePlan[];
}

export interface FilePlan {
  readonly of: PackagePlan;
  /** Folder within the package. */
  readonly folder: string;
  /** In camel case, unique in the package. */
  readonly stem: string;
  readonly uses: readonly FilePlan[];
  readonly classes: readonly ClassPlan[];
  readonly functions: readonly FunctionPlan[];
}

/** All names in camel case; writers bring them into the case of their language. Names of classes are unique in a package. */
export interface ClassPlan {
  readonly file: FilePlan;
  readonly name: string;
  readonly base: ClassPlan | undefined;
  readonly fields: readonly FieldPlan[];
  readonly methods: readonly FunctionPlan[];
}

/** Without a type: a number. */
export interface FieldPlan {
  readonly name: string;
  readonly type: ClassPlan | undefined;
}

/** Takes a number, and perhaps an object; gives an object or a number. */
export interface FunctionPlan {
  readonly file: FilePlan;
  readonly name: string;
  readonly takes: ClassPlan | undefined;
  readonly gives: ClassPlan | undefined;
}

export type Random = () => number;

export function pick<T>(random: Random, all: readonly T[], towardsFirst = 1): T {
  return all[Math.floor(random() ** towardsFirst * all.length)]!;
}

/** Share of each language in a hundred packages. */
const mix: Readonly<Record<Language, number>> = { typescript: 62, python: 16, go: 12, java: 10 };
const folderSize = 16;

/** The same packages for the same numbers, one after the other; `files` sources in all. */
export function* planPackages(files: number, seed: number): Generator<PackagePlan> {
  const random = randomFrom(seed);
  const known: Record<Language, PackagePlan[]> = { typescript: [], python: [], go: [], java: [] };
  const shares = languages.flatMap(language => Array<Language>(mix[language]).fill(language));
  for (let made = 0, at = 0; made < files; at++) {
    const size = Math.min(files - made, 50 + Math.floor(random() * 151));
    const language = at < languages.length ? languages[at]! : pick(random, shares);
    const before = known[language];
    const uses = new Set(Array.from({ length: Math.min(before.length, 5) }, () => pick(random, before, 2)));
    const name = `${pick(random, nouns)}${pick(random, nouns)}${at}`.toLowerCase();
    const planned: PackagePlan = { language, name, uses: [...uses], files: [] };
    const taken = new Set<string>();
    for (let file = 0; file < size; file++) planned.files.push(planFile(planned, file, taken, random));
    before.push(planned);
    made += size;
    yield planned;
  }
}

function planFile(of: PackagePlan, at: number, taken: Set<string>, random: Random): FilePlan {
  const uses = new Set<FilePlan>();
  for (let count = 3 + Math.floor(random() * 5); count > 0; count--) {
    const isOwn = of.uses.length === 0 || random() < 0.65;
    const from = isOwn ? of.files : pick(random, of.uses).files;
    if (from.length > 0) uses.add(pick(random, from, isOwn ? 1 : 3));
  }
  const classes: ClassPlan[] = [];
  const functions: FunctionPlan[] = [];
  const main = unused(taken, random, () => className(random));
  const file: FilePlan = {
    of,
    folder: `${pick(randomFrom(of.name.length * 1000 + (at >> 4)), nouns)}${Math.floor(at / folderSize)}`.toLowerCase(),
    stem: lower(main),
    uses: [...uses],
    classes,
    functions,
  };
  const visible = [...uses].flatMap(one => one.classes);
  for (let count = 1 + Math.floor(random() * 2.5); count > 0; count--) {
    const name = classes.length === 0 ? main : unused(taken, random, () => className(random));
    classes.push(planClass(file, name, [...visible, ...classes], random));
  }
  for (let count = 2 + Math.floor(random() * 5); count > 0; count--) {
    const name = unused(taken, random, () => `${pick(random, verbs, 2)}${pick(random, nouns)}${pick(random, nouns)}`);
    functions.push(planFunction(file, name, [...visible, ...classes], random));
  }
  return file;
}

function planClass(file: FilePlan, name: string, visible: readonly ClassPlan[], random: Random): ClassPlan {
  const base = visible.length > 0 && random() < 0.2 ? pick(random, visible) : undefined;
  const taken = new Set(base === undefined ? [] : membersOf(base).map(one => one.name.toLowerCase()));
  const fields = Array.from({ length: 3 + Math.floor(random() * 3) }, (_, at): FieldPlan => {
    const type = at > 0 && visible.length > 0 && random() < 0.6 ? pick(random, visible) : undefined;
    const one = (): string =>
      random() < 0.5 ? lower(pick(random, nouns, 3)) : lower(pick(random, nouns) + pick(random, nouns));
    return { name: unused(taken, random, one), type };
  });
  const methods = Array.from({ length: 3 + Math.floor(random() * 4) }, () => {
    const one = (): string =>
      random() < 0.3 ? pick(random, verbs, 3) : `${pick(random, verbs, 2)}${pick(random, nouns)}`;
    return planFunction(file, unused(taken, random, one), visible, random);
  });
  return { file, name, base, fields, methods };
}

function planFunction(file: FilePlan, name: string, visible: readonly ClassPlan[], random: Random): FunctionPlan {
  const some = (share: number): ClassPlan | undefined =>
    visible.length > 0 && random() < share ? pick(random, visible) : undefined;
  return { file, name, takes: some(0.5), gives: some(0.4) };
}

/** Its own members and those of its bases. */
export function membersOf(one: ClassPlan): readonly (FieldPlan | FunctionPlan)[] {
  return [...one.fields, ...one.methods, ...(one.base === undefined ? [] : membersOf(one.base))];
}

function className(random: Random): string {
  return `${pick(random, nouns)}${random() < 0.6 ? pick(random, nouns) : ''}${pick(random, roles, 2)}`;
}

function unused(taken: Set<string>, random: Random, make: () => string): string {
  for (let name = make(); ; name = `${make()}${pick(random, roles)}`) {
    const folded = name.toLowerCase();
    if (taken.has(folded)) continue;
    taken.add(folded);
    return name;
  }
}

export function byFolder(files: readonly FilePlan[]): ReadonlyMap<string, readonly FilePlan[]> {
  const folders = new Map<string, FilePlan[]>();
  for (const file of files) {
    const others = folders.get(file.folder);
    if (others === undefined) folders.set(file.folder, [file]);
    else others.push(file);
  }
  return folders;
}

export const lower = (name: string): string => name[0]!.toLowerCase() + name.slice(1);
export const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
export const snake = (name: string): string => lower(name).replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
