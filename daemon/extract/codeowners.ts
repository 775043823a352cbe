import type { Codeowners, LineProblem, OwnerRule, OwnerSection } from '../model/codeowners.ts';
import { type Owner, readOwner } from '../model/owner.ts';
import { readPattern } from './codeowners-pattern.ts';

/** Where hosts look for the file, the first before the others: GitHub in the first three, GitLab in all but the first. */
export const codeownersPlaces = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'] as const;
export type CodeownersPlace = (typeof codeownersPlaces)[number];

/** GitHub passes over a larger file. */
export const mostCodeownersBytes = 3 * 1024 * 1024;

const mostProblems = 1_000;

/**
 * The rules of a CODEOWNERS file, as GitHub's documentation has them ("About code owners"). A line that it calls invalid is skipped,
 * and is a problem.
 *
 * A file is GitLab's where GitHub does not look, or where a line of it is the head of a section (`[Name]`, `^[Name][2] @owner`), unless
 * GitLab does not look there. Of GitLab's, words that name nobody are left out and the others stand; lines without owners have those of
 * the section's head; `!` excludes; a pattern begins anywhere unless a slash begins it. Its documentation leaves open whether `docs`
 * is all of a folder of that name: one of its examples says so, and so does this.
 *
 * Takes time in the length of the file alone. Never throws.
 */
export function parseCodeowners(bytes: Uint8Array, place: CodeownersPlace): Codeowners {
  if (isUtf16(bytes)) {
    const problem = { line: 1, text: '', reason: 'the file is UTF-16: save it as UTF-8', effect: 'line' } as const;
    return { host: 'github', rules: [], sections: [outside], problems: [problem], problemCount: 1 };
  }
  const lines = new TextDecoder().decode(bytes).split('\n').map(withoutEnds);
  const host = hostOf(place, lines);
  const file: OpenFile = { host, rules: [], sections: [outside], problems: [], problemCount: 0, owners: new Map() };
  const read = host === 'gitlab' ? linesOfGitlab(file) : lineOfGithub(file);
  for (const [at, text] of lines.entries()) {
    if (text === '' || text.startsWith('#')) continue;
    const reason = unreadable(text);
    const line = { number: at + 1, text };
    if (reason === undefined) read(line);
    else problem(file, line, reason, 'line');
  }
  const { rules, sections, problems, problemCount } = file;
  return { host, rules, sections, problems, problemCount };
}

interface OpenFile {
  readonly host: Codeowners['host'];
  readonly rules: OwnerRule[];
  readonly sections: OwnerSection[];
  readonly problems: LineProblem[];
  problemCount: number;
  /** What words have been read as; undefined: as nobody. */
  readonly owners: Map<string, Owner | undefined>;
}

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const outside: OwnerSection = { name: '', optional: false, approvals: 1 };

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** A blank at the end may be escaped, and is the pattern's then. */
function withoutEnds(line: string): string {
  const text = line.replace(/^[ \t]+/, '').replace(/\r$/, '');
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1]) && !isEscaped(text, end - 1)) end--;
  return text.slice(0, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function hostOf(place: CodeownersPlace, lines: readonly string[]): Codeowners['host'] {
  if (place === '.github/CODEOWNERS') return 'github';
  return place === '.gitlab/CODEOWNERS' || lines.some(line => headIn(line) !== undefined) ? 'gitlab' : 'github';
}

function unreadable(text: string): string | undefined {
  if (text.includes('\0')) return 'the line holds NUL';
  if (/[\x01-\x08\x0b-\x1f\x7f]/.test(text)) return 'the line holds a control character';
  return text.includes('\ufffd') ? 'the line is not UTF-8' : undefined;
}

function problem(file: OpenFile, line: Line, reason: string, effect: LineProblem['effect']): void {
  file.problemCount++;
  if (file.problems.length >= mostProblems) return;
  file.problems.push({ line: line.number, text: cut(line.text, longestText), reason, effect });
}

const longestText = 200;

/** Not inside of a pair of surrogates. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function lineOfGithub(file: OpenFile): (line: Line) => void {
  return line => {
    const { pattern: text, words } = wordsOf(line.text);
    const reason = text.startsWith('!')
      ? 'patterns are not negated with !'
      : text.startsWith('\\#')
        ? 'a pattern does not begin with an escaped #'
        : undefined;
    const named = untilComment(words).map(word => [word, ownerOf(file, word)] as const);
    const nobody = named.find(([, owner]) => owner === undefined);
    const read = readPattern(text, 'inner-slash');
    if (reason !== undefined) problem(file, line, reason, 'line');
    else if ('reason' in read) problem(file, line, read.reason, 'line');
    else if (nobody !== undefined)
      problem(file, line, `${noOwner(nobody[0])} is no @user, @org/team or address`, 'line');
    else {
      const owners = distinct(named.map(([, owner]) => owner!));
      file.rules.push({ line: line.number, text, pattern: read.pattern, owners, section: 0, effect: 'names' });
    }
  };
}

function linesOfGitlab(file: OpenFile): (line: Line) => void {
  const known = new Map<string, number>();
  let section = 0;
  let defaults: readonly Owner[] = [];
  return line => {
    const head = headIn(line.text);
    if (head !== undefined) {
      section = sectionOf(file, line, known, head);
      defaults = ownersAmong(file, line, head.words);
      return;
    }
    if (/^\^?\[/.test(line.text))
      return problem(file, line, 'the head of a section is [Name], ^[Name] or [Name][2]', 'line');
    const { pattern: written, words } = wordsOf(line.text);
    const effect = written.startsWith('!') ? 'excludes' : 'names';
    const text = effect === 'excludes' ? written.slice(1) : written;
    const read = readPattern(text, 'leading-slash');
    if ('reason' in read) return problem(file, line, read.reason, 'line');
    const own = ownersAmong(file, line, words);
    const owners = effect === 'excludes' ? [] : own.length > 0 ? own : defaults;
    if (owners.length === 0 && effect === 'names')
      problem(file, line, 'nobody is named: GitLab asks for no approval', 'none');
    file.rules.push({ line: line.number, text, pattern: read.pattern, owners, section, effect });
  };
}

/** Those that bear the same name, in whatever case, are one: it asks for approval as soon as one of them does. */
function sectionOf(file: OpenFile, line: Line, known: Map<string, number>, head: SectionHead): number {
  const key = head.name.toLowerCase();
  const at = known.get(key);
  const { name, optional, approvals } = head;
  if (at === undefined && file.sections.length > mostSections) {
    problem(file, line, `there are more than ${mostSections} sections: it counts with the last of these`, 'none');
    return mostSections;
  }
  if (at === undefined) {
    known.set(key, file.sections.length);
    return file.sections.push({ name, optional, approvals }) - 1;
  }
  const before = file.sections[at]!;
  file.sections[at] = {
    name: before.name,
    optional: before.optional && optional,
    approvals: Math.max(before.approvals, approvals),
  };
  return at;
}

const mostSections = 1_000;

interface SectionHead {
  readonly name: string;
  readonly optional: boolean;
  readonly approvals: number;
  readonly words: readonly string[];
}

/** `[Name]`, `^[Name]`, `[Name][2]`, and behind each who owns what names no owner. */
function headIn(line: string): SectionHead | undefined {
  if (!line.startsWith('[') && !line.startsWith('^[')) return undefined;
  const open = line.indexOf('[');
  const close = line.indexOf(']');
  const name = line.slice(open + 1, close).trim();
  if (close < 0 || name === '' || name.includes('[')) return undefined;
  const tail = /^(?:\[(\d{0,9})\])?([ \t].*)?$/s.exec(line.slice(close + 1));
  if (tail === null) return undefined;
  const [, count = '', rest = ''] = tail;
  return { name, optional: open === 1, approvals: Math.max(1, Number(count)), words: split(rest) };
}

function ownersAmong(file: OpenFile, line: Line, words: readonly string[]): readonly Owner[] {
  const named = words.map(word => [word, ownerOf(file, word)] as const);
  const nobody = named.find(([, owner]) => owner === undefined);
  if (nobody !== undefined) {
    const comment = nobody[0].startsWith('#') ? '; GitLab takes no comment behind a pattern' : '';
    problem(file, line, `${noOwner(nobody[0])} is no @user, @group, @@role or address${comment}`, 'owners');
  }
  return distinct(named.flatMap(([, owner]) => (owner === undefined ? [] : [owner])));
}

/** A line's pattern, escapes and all, and the words behind it. */
function wordsOf(line: string): { readonly pattern: string; readonly words: readonly string[] } {
  for (const { index } of line.matchAll(/[ \t]/g)) {
    if (!isEscaped(line, index)) return { pattern: line.slice(0, index), words: split(line.slice(index)) };
  }
  return { pattern: line, words: [] };
}

function split(text: string): readonly string[] {
  return text.split(/[ \t]+/).filter(word => word !== '');
}

function untilComment(words: readonly string[]): readonly string[] {
  const comment = words.findIndex(word => word.startsWith('#'));
  return comment < 0 ? words : words.slice(0, comment);
}

function noOwner(word: string): string {
  return JSON.stringify(cut(word, 60));
}

/** The same object for the same word: a large file names few owners often. */
function ownerOf(file: OpenFile, word: string): Owner | undefined {
  if (!file.owners.has(word)) file.owners.set(word, readOwner(word, file.host));
  return file.owners.get(word);
}

function distinct(owners: readonly Owner[]): readonly Owner[] {
  if (owners.length < 2) return owners;
  const seen = new Set<string>();
  return owners.filter(({ text }) => {
    const key = text.toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}
