import type { Bullet } from '../../model/decision.ts';
import type { FrontMatter, FrontMatterEntry } from './front-matter.ts';
import type { MarkdownLine } from './markdown-lines.ts';
import { headingWords, sectionKind } from './section-kinds.ts';
import { plainInline } from './title.ts';

/** What a document says of its decision in names and values: in front matter, and in a list between title and sections. */
export interface Metadata {
  readonly title: string | undefined;
  readonly id: string | undefined;
  readonly status: string | undefined;
  readonly date: string | undefined;
  readonly modules: readonly string[];
  /** What it says of other decisions, as a line: `supersedes ADR-3`. */
  readonly relations: readonly string[];
  /** All of them, in their order. */
  readonly entries: readonly (readonly [string, string])[];
  /** Where the status stands, if it does. */
  readonly statusIn: 'front matter' | 'list' | undefined;
  readonly bullet: Bullet | undefined;
}

interface Entry extends FrontMatterEntry {
  readonly from: 'front matter' | 'list';
}

export function metadataOf(front: FrontMatter, preamble: readonly MarkdownLine[]): Metadata {
  const listed = preamble.flatMap(({ kind, text }) => (kind === 'text' ? entryIn(text) : []));
  const entries: readonly Entry[] = [
    ...front.entries.map(entry => ({ ...entry, from: 'front matter' as const })),
    ...listed.slice(0, mostListed),
  ];
  const firstOf = (is: (name: string) => boolean): Entry | undefined =>
    entries.find(({ name, values }) => is(name) && values.length > 0);
  const saidBy = (is: (name: string) => boolean): string | undefined => firstOf(is)?.values.join(', ');
  const isKind = (kind: 'status' | 'date') => (name: string) => sectionKind(name) === kind;
  return {
    title: saidBy(named('title')),
    id: saidBy(named('id', 'adr', 'adr id', 'adr number', 'number')),
    status: saidBy(isKind('status')),
    date: saidBy(isKind('date')) ?? dateAlone(preamble),
    modules: entries.filter(({ name }) => namesModules(name)).flatMap(modulesOf),
    relations: entries
      .filter(({ name }) => isRelation(name))
      .flatMap(({ name, values }) => values.map(value => `${name} ${value}`)),
    entries: entries.map(({ name, values }) => [name, values.join(', ')] as const),
    statusIn: firstOf(isKind('status'))?.from,
    bullet: /^\s*([-*+])\s/.exec(
      preamble.find(({ text }) => /^\s*[-*+]\s/.test(text))?.text ?? '',
    )?.[1] as Metadata['bullet'],
  };
}

/** Entries stand in their line as `Name: value`, with or without a bullet or emphasis, or in a row of a table. */
function entryIn(line: string): readonly Entry[] {
  const text = line.slice(0, longestLine);
  const found =
    /^ {0,3}(?:[-*+][ \t]+)?(?:\*\*|__|\*|_)?([\p{L}][\p{L}\p{N} /()-]{0,40}?)(?:\*\*|__|\*|_)?[ \t]*[:：](?:\*\*|__|\*|_)?(?:[ \t]+|$)(.*)$/u.exec(
      text,
    ) ??
    /^ {0,3}(?:[-*+][ \t]+)?([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,10})[ \t]*[:：](.*)$/u.exec(
      text,
    ) ??
    /^ {0,3}\|[ \t]*(?:\*\*|__)?([\p{L}][\p{L} -]{0,40}?)(?:\*\*|__)?[ \t]*\|([^|]*)\|?[ \t]*$/u.exec(text);
  if (found === null) return [];
  const value = found[2]!.trim();
  return [{ name: found[1]!.trim(), values: value === '' ? [] : [value], isList: false, from: 'list' }];
}

const longestLine = 2000;
const mostListed = 100;

/** A line that is a date and nothing else. */
function dateAlone(preamble: readonly MarkdownLine[]): string | undefined {
  return preamble.find(({ kind, text }) => kind === 'text' && /^[\s`*_]*\d{4}-\d{2}-\d{2}[\s`*_]*$/.test(text))?.text;
}

function named(...names: readonly string[]): (name: string) => boolean {
  return name => names.includes(wordsOf(name));
}

/** `affected-modules`, `affected_modules` and `affectedModules` are the same. */
function wordsOf(name: string): string {
  return headingWords(name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]/g, ' '));
}

function namesModules(name: string): boolean {
  return wordsOf(name) === 'module' || sectionKind(wordsOf(name)) === 'modules';
}

/** A text is a list with commas, in code where a comma stands in a name. */
function modulesOf({ values, isList }: Entry): readonly string[] {
  if (isList) return values;
  return values.flatMap(value => {
    const coded = [...value.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return coded.length > 0 ? coded : value.split(',').map(name => plainInline(name.trim()));
  });
}

function isRelation(name: string): boolean {
  return /^(?:super[sc]ede[ds]?(?: by)?|replace[ds](?: by)?|amend(?:s|ed by)|relate[sd](?: to)?|obsoletes)$/.test(
    wordsOf(name),
  );
}
