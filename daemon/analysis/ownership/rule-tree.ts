import { anyFolders, type PathPattern, type PathStep } from '../../model/codeowners.ts';
import type { NamePattern } from '../../model/name-pattern.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import { type NamePatterns, namePatterns } from './name-patterns.ts';

/** Rules by the paths that they are about. */
interface RuleTree {
  /** The number of the strongest rule of each section that a file fits, -1 where it fits none. */
  ofFile(path: string): readonly number[];
}

interface TreeRule {
  readonly pattern: PathPattern;
  readonly section: number;
}

/**
 * Patterns without wildcards by what they say, and all others as one tree of their steps, walked once for each folder: a path costs
 * what may still fit it, not what there are rules. Of rules that fit, one with a higher number is the stronger one; it is their
 * index in `rules`.
 */
export function ruleTree(rules: readonly TreeRule[], sectionCount: number): RuleTree {
  const root = newPlace(false);
  const literal = new Map<string, Ends>();
  const sectionOf: SectionOf = number => rules[number]!.section;
  for (const [number, { pattern }] of rules.entries()) {
    if (pattern.steps.length > mostSteps) continue;
    const ends = pattern.steps.every(isName)
      ? endsAt(literal, pattern.steps.join('/'))
      : pattern.steps.reduce(stepInto, root);
    if (pattern.fits !== 'below') ends.itself = withRule(ends.itself, number, sectionOf);
    if (pattern.fits !== 'itself') ends.below = withRule(ends.below, number, sectionOf);
  }
  const none = new Array<number>(sectionCount).fill(-1);
  const folderAt = foldersFrom({ root, literal, none, sectionOf });
  return {
    ofFile(path) {
      const { places, strongest } = folderAt(directoryOf(path));
      const name = baseName(path);
      let found = stronger(strongest, literal.get(path)?.itself, sectionOf);
      const take = ({ itself }: Place): void => {
        found = stronger(found, itself, sectionOf);
      };
      for (const place of places) eachNamed(place, name, take);
      return found;
    },
  };
}

/** A path of 4096 bytes has fewer names, with any number of folders before each. */
const mostSteps = 4096;

type SectionOf = (number: number) => number;

/** Of a folder: where its path leads to in the tree, and what all that is in it fits. */
interface Folder {
  readonly places: readonly Place[];
  readonly strongest: readonly number[];
}

/** Numbers and places that are kept of folders, whatever rules make of them. */
const mostKept = 1_000_000;

interface Start {
  readonly root: Place;
  readonly literal: ReadonlyMap<string, Ends>;
  /** What is the strongest where nothing fits. */
  readonly none: readonly number[];
  readonly sectionOf: SectionOf;
}

function foldersFrom({ root, literal, none, sectionOf }: Start): (path: string) => Folder {
  const known = new Map<string, Folder>();
  let kept = 0;
  const folderIn = (path: string, above: Folder | undefined): Folder => {
    const places = above === undefined ? entered(root) : inside(above.places, baseName(path));
    const before = stronger(above?.strongest ?? none, literal.get(path)?.below, sectionOf);
    return { places, strongest: places.reduce((found, { below }) => stronger(found, below, sectionOf), before) };
  };
  const keep = (path: string, folder: Folder): Folder => {
    const size = folder.places.length + none.length;
    if (kept + size > mostKept) {
      known.clear();
      kept = 0;
    }
    kept += size;
    known.set(path, folder);
    return folder;
  };
  return path => {
    const lacking: string[] = [];
    let at: string | undefined = path;
    for (; at !== undefined && !known.has(at); at = at === '' ? undefined : directoryOf(at)) lacking.push(at);
    let folder = at === undefined ? undefined : known.get(at);
    for (const one of lacking.reverse()) folder = keep(one, folderIn(one, folder));
    return folder!;
  };
}

/** Rules that are about what leads here, and about what lies below it: of each section one. */
interface Ends {
  itself: number[] | undefined;
  below: number[] | undefined;
}

interface Place extends Ends {
  names: Map<string, Place> | undefined;
  /** By what is written. */
  patterns: Map<string, PatternPlace> | undefined;
  indexed: NamePatterns<Place> | undefined;
  /** Behind any number of folders. */
  behindFolders: Place | undefined;
  /** It is behind any number of folders: one more makes no difference. */
  readonly stays: boolean;
}

interface PatternPlace {
  readonly pattern: NamePattern;
  readonly value: Place;
}

function newPlace(stays: boolean): Place {
  return {
    names: undefined,
    patterns: undefined,
    indexed: undefined,
    behindFolders: undefined,
    stays,
    itself: undefined,
    below: undefined,
  };
}

function isName(step: PathStep): step is string {
  return typeof step === 'string' && step !== anyFolders;
}

function endsAt(literal: Map<string, Ends>, path: string): Ends {
  const ends = literal.get(path) ?? { itself: undefined, below: undefined };
  literal.set(path, ends);
  return ends;
}

function stepInto(place: Place, step: PathStep): Place {
  if (step === anyFolders) {
    place.behindFolders ??= newPlace(true);
    return place.behindFolders;
  }
  if (typeof step === 'string') {
    place.names ??= new Map();
    const next = place.names.get(step) ?? newPlace(false);
    place.names.set(step, next);
    return next;
  }
  place.patterns ??= new Map();
  const key = step.join('');
  const next = place.patterns.get(key) ?? { pattern: step, value: newPlace(false) };
  place.patterns.set(key, next);
  return next.value;
}

/** With a rule that is stronger than those that are there. */
function withRule(numbers: number[] | undefined, number: number, sectionOf: SectionOf): number[] {
  if (numbers === undefined) return [number];
  const section = sectionOf(number);
  const at = numbers.findIndex(one => sectionOf(one) === section);
  numbers[at < 0 ? numbers.length : at] = number;
  return numbers;
}

/** What a name leads to. */
function eachNamed(place: Place, name: string, visit: (next: Place) => void): void {
  const named = place.names?.get(name);
  if (named !== undefined) visit(named);
  if (place.patterns === undefined) return;
  place.indexed ??= namePatterns(place.patterns.values());
  for (const next of place.indexed.fitting(name)) visit(next);
}

function inside(places: readonly Place[], name: string): readonly Place[] {
  const next: Place[] = [];
  const visit = (one: Place): void => enter(one, next);
  for (const place of places) {
    if (place.stays) next.push(place);
    eachNamed(place, name, visit);
  }
  return next.length < 2 ? next : [...new Set(next)];
}

/** With the place behind any number of folders, which may be none. */
function entered(place: Place): readonly Place[] {
  const places: Place[] = [];
  enter(place, places);
  return places;
}

function enter(place: Place, places: Place[]): void {
  places.push(place);
  if (place.behindFolders !== undefined) places.push(place.behindFolders);
}

function stronger(
  strongest: readonly number[],
  fitting: readonly number[] | undefined,
  sectionOf: SectionOf,
): readonly number[] {
  if (fitting === undefined) return strongest;
  let changed: number[] | undefined;
  for (const number of fitting) {
    const section = sectionOf(number);
    if (number <= strongest[section]!) continue;
    changed ??= [...strongest];
    changed[section] = number;
  }
  return changed ?? strongest;
}
