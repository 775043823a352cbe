import type {
  DecisionLink,
  DecisionProblem,
  DecisionSection,
  DecisionText,
  SectionKind,
} from '../../model/decision.ts';
import { beginsSection, givenBlock, withoutBlankEnds } from './block-text.ts';
import { dateOf } from './dates.ts';
import { linksOf } from './decision-links.ts';
import { styleOf } from './document-style.ts';
import { frontMatter } from './front-matter.ts';
import { givenItems } from './list-items.ts';
import { headingsOf, linesOf, type MarkdownHeading, type MarkdownLine, markdownLines } from './markdown-lines.ts';
import { type Metadata, metadataOf } from './metadata.ts';
import { sectionKind } from './section-kinds.ts';
import { statusOf } from './status.ts';
import { type ReadTitle, readTitle, withoutZeros } from './title.ts';

/** So much of a document is read; what goes on past it is cut off. */
const longestDocument = 256 * 1024;

/** Reads a decision in any format, as far as it goes: what is not there or can't be understood is a problem, and no more. */
export function readDecision(bytes: Uint8Array): DecisionText {
  const { text, problems } = decoded(bytes);
  const lines = linesOf(text);
  const front = frontMatter(lines);
  if (front.isOpen) problems.push({ code: 'front_matter_unclosed', message: 'no line ends the front matter' });
  const body = markdownLines(lines.slice(front.bodyLine));
  const headings = headingsOf(body);
  const titled = titleIn(headings);
  const sections = sectionsOf(body, headings, titled);
  const metadata = metadataOf(front, preambleOf(body, headings, titled));
  const title = titleOf(titled, metadata);
  if (title === undefined) problems.push({ code: 'no_title', message: 'there is no title' });
  const rawStatus = cut(metadata.status ?? statusIn(sections), longestStatus);
  const { status, isKnown } = statusOf(rawStatus);
  if (!isKnown) problems.push({ code: 'unknown_status', message: `no status is known in ${quoted(rawStatus)}` });
  return {
    content: text,
    title: title?.title && cut(title.title, longestTitle),
    numbers: numbersIn(title, metadata),
    status,
    rawStatus,
    date: dateIn(metadata, sections, rawStatus, problems),
    modules: modulesIn(metadata, sections),
    links: linksIn(metadata, sections, rawStatus),
    metadata: metadata.entries,
    sections,
    isDecision: rawStatus !== '' || sections.some(({ kind }) => kind === 'context' || kind === 'decision'),
    style: styleOf({ text, front, headings, metadata, sections, rawStatus, title }),
    problems,
  };
}

/** The text of all sections of a kind, as it was given. */
export function textOf(sections: readonly DecisionSection[], kind: SectionKind): string {
  return sections
    .filter(section => section.kind === kind && section.text !== '')
    .map(({ text }) => givenBlock(text))
    .join('\n\n');
}

/** What follows from the decision, one by one. */
export function consequencesIn(sections: readonly DecisionSection[]): readonly string[] {
  return sections.filter(({ kind }) => kind === 'consequences').flatMap(({ text }) => givenItems(text));
}

const longestTitle = 1000;
const longestStatus = 500;
const mostModules = 1000;

function decoded(bytes: Uint8Array): { readonly text: string; readonly problems: DecisionProblem[] } {
  const problems: DecisionProblem[] = [];
  const isCut = bytes.length > longestDocument;
  if (isCut) problems.push({ code: 'cut', message: `only the first ${longestDocument / 1024} KiB are read` });
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, longestDocument));
  const text = read.toString('utf8').replace(/^\ufeff/, '');
  if (text.includes('\ufffd') && !isUtf8(read)) problems.push({ code: 'not_utf8', message: 'is not UTF-8 throughout' });
  // A character that the cut went through is none of the document's own.
  return { text: isCut ? text.replace(/\ufffd+$/, '') : text, problems };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The heading that is the document's: the only one of the first rank on top, else, before all sections that are known, the
 * first of the first rank, or the first of all.
 */
function titleIn(headings: readonly MarkdownHeading[]): MarkdownHeading | undefined {
  if (headings[0]?.level === 1 && headings.every(({ level }, at) => at === 0 || level > 1)) return headings[0];
  const section = headings.findIndex(({ text }) => sectionKind(nameOf(text)) !== undefined);
  const before = section < 0 ? headings : headings.slice(0, section);
  return before.find(({ level }) => level === 1) ?? before[0];
}

function titleOf(heading: MarkdownHeading | undefined, metadata: Metadata): ReadTitle | undefined {
  const written = heading?.text ?? metadata.title;
  const title = written === undefined ? undefined : readTitle(written.slice(0, longestTitle * 2));
  return title === undefined || title.title === '' ? undefined : title;
}

/** Sections with what stands below them: what is of no known name and of a lower rank is part of the one before. */
function sectionsOf(
  body: readonly MarkdownLine[],
  headings: readonly MarkdownHeading[],
  title: MarkdownHeading | undefined,
): readonly DecisionSection[] {
  const others = headings.filter(heading => heading !== title && heading.line > (title?.line ?? -1));
  const rank = Math.min(...others.map(({ level }) => level));
  const heads: MarkdownHeading[] = [];
  for (const other of others) {
    const within = Math.max(rank, heads.at(-1)?.level ?? rank);
    if (beginsSection(other.level, nameOf(other.text), within)) heads.push(other);
  }
  return heads.map((head, at) => {
    const lines = body.slice(head.bodyLine, heads[at + 1]?.line);
    const [, valueInHeading = ''] = sectionKind(nameOf(head.text)) === 'status' ? valued(head.text) : [];
    const text = withoutBlankEnds([valueInHeading, ...lines.map(line => line.text)].join('\n'));
    return { heading: head.text, level: head.level, kind: sectionKind(nameOf(head.text)), text };
  });
}

/** `Status: accepted` as a heading is one of the status. */
function nameOf(heading: string): string {
  const [name, value] = valued(heading);
  return value !== undefined && sectionKind(name) === 'status' ? name : heading;
}

function valued(heading: string): readonly [string, string?] {
  const [, name, value] = /^([^:：]{1,40})[:：](.*)$/.exec(heading) ?? [];
  return name === undefined ? [heading] : [name, value!.trim()];
}

/** What stands between the title and the first section. */
function preambleOf(
  body: readonly MarkdownLine[],
  headings: readonly MarkdownHeading[],
  title: MarkdownHeading | undefined,
): readonly MarkdownLine[] {
  const from = title?.bodyLine ?? 0;
  return body.slice(from, headings.find(({ line }) => line >= from)?.line);
}

function statusIn(sections: readonly DecisionSection[]): string {
  const section = sections.find(({ kind }) => kind === 'status');
  return section === undefined ? '' : withoutComments(section.text);
}

function withoutComments(markdown: string): string {
  const lines = markdownLines(linesOf(markdown));
  return withoutBlankEnds(
    lines
      .filter(({ kind }) => kind !== 'comment')
      .map(({ text }) => text)
      .join('\n'),
  );
}

function numbersIn(title: ReadTitle | undefined, { id }: Metadata): readonly string[] {
  const told = /(?:^|adr[-_ ]{0,2})(\d{1,40})$/i.exec(id?.slice(0, 200).trim() ?? '')?.[1];
  const all = [title?.number?.digits, told === undefined ? undefined : withoutZeros(told)];
  return [...new Set(all.filter(digits => digits !== undefined))];
}

function dateIn(
  metadata: Metadata,
  sections: readonly DecisionSection[],
  rawStatus: string,
  problems: DecisionProblem[],
): string | undefined {
  const told = metadata.date ?? sections.find(({ kind }) => kind === 'date')?.text;
  if (told === undefined || told.trim() === '') return dateOf(/\d{4}-\d{2}-\d{2}/.exec(rawStatus)?.[0] ?? '');
  const date = dateOf(told);
  if (date === undefined) problems.push({ code: 'bad_date', message: `${quoted(told)} is no date` });
  return date;
}

function modulesIn(metadata: Metadata, sections: readonly DecisionSection[]): readonly string[] {
  const listed = sections.filter(({ kind }) => kind === 'modules').flatMap(({ text }) => givenItems(text));
  return [...metadata.modules, ...listed.map(nameIn)].filter(name => name !== '').slice(0, mostModules);
}

/** An item that names a module: its code, its link's text, or all of it. */
function nameIn(item: string): string {
  const code = /^(`{1,9})(?!`)(.*?[^`])\1(?!`)/.exec(item)?.[2];
  return code?.replace(/^ (.+) $/, '$1') ?? /^\[([^\]]*)\]\(/.exec(item)?.[1] ?? item.trim();
}

function linksIn(metadata: Metadata, sections: readonly DecisionSection[], rawStatus: string): readonly DecisionLink[] {
  const listed = sections.filter(({ kind }) => kind === 'links').map(({ text }) => text);
  return linksOf(rawStatus, metadata.relations, listed);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function quoted(text: string): string {
  return JSON.stringify(cut(text.replace(/\s+/g, ' ').trim(), 60));
}
