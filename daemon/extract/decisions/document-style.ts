import type { Bullet, DecisionFormat, DecisionSection, DocumentStyle, SectionKind } from '../../model/decision.ts';
import type { FrontMatter } from './front-matter.ts';
import { linesOf, type MarkdownHeading, markdownLines } from './markdown-lines.ts';
import type { Metadata } from './metadata.ts';
import { headingWords } from './section-kinds.ts';
import type { ReadTitle } from './title.ts';

interface StyledDocument {
  readonly text: string;
  readonly front: FrontMatter;
  readonly headings: readonly MarkdownHeading[];
  readonly metadata: Metadata;
  readonly sections: readonly DecisionSection[];
  readonly rawStatus: string;
  readonly title: ReadTitle | undefined;
}

/** How a document is written. */
export function styleOf(document: StyledDocument): DocumentStyle {
  const { text, headings, metadata, sections, rawStatus, title } = document;
  return {
    format: formatOf(document),
    lineEnd: text.indexOf('\r\n') >= 0 && text.indexOf('\r\n') === text.indexOf('\n') - 1 ? '\r\n' : '\n',
    isUnderlined: isMostly(headings.filter(({ level }) => level <= 2)),
    metadataBullet: metadata.bullet,
    lists: listsIn(sections),
    isCapital: /^\P{L}*\p{Lu}/u.test(rawStatus),
    titleNumber: title?.number?.style,
    headings: headingsByKind(sections),
  };
}

/** A line that was meant to part what stands above from what follows makes a heading of a paragraph. */
function isMostly(headings: readonly MarkdownHeading[]): boolean {
  return headings.filter(({ isUnderlined }) => isUnderlined).length * 2 > headings.length;
}

function formatOf({ front, metadata, sections, headings }: StyledDocument): DecisionFormat | undefined {
  const named = new Set(headings.map(({ text }) => headingWords(text)));
  const has = (...all: readonly string[]): boolean => all.some(name => named.has(name));
  const isMadr = has('context and problem statement', 'decision outcome', 'considered options');
  if (sections.some(({ kind }) => kind === 'status')) return 'nygard';
  if (metadata.statusIn === 'list') return isMadr || metadata.bullet !== undefined ? 'madr2' : 'nygard';
  const names = new Set(front.entries.map(({ name }) => headingWords(name)));
  const isFront = metadata.statusIn === 'front matter' || names.has('deciders') || names.has('decision-makers');
  if (isMadr || isFront) {
    if (!isFront && front.entries.length === 0 && metadata.entries.length > 0) return 'madr2';
    const isThird = (names.has('deciders') || has('validation')) && !names.has('decision-makers');
    return isThird ? 'madr3' : 'madr4';
  }
  const kinds = new Set(sections.map(({ kind }) => kind));
  return kinds.has('context') && kinds.has('decision') ? 'nygard' : undefined;
}

/** A list goes on over blank lines and what is indented below an item; another bullet begins another. */
function listsIn(sections: readonly DecisionSection[]): DocumentStyle['lists'] {
  const counts: Record<Bullet, number> = { '-': 0, '*': 0, '+': 0 };
  for (const section of sections) {
    let current: Bullet | undefined;
    let isBehindBlank = false;
    for (const { kind, text } of markdownLines(linesOf(section.text))) {
      const bullet = kind === 'text' ? bulletOf(text) : undefined;
      if (bullet !== undefined && bullet !== current) counts[bullet]++;
      const goesOn = /^[ \t]/.test(text) || (kind === 'text' && !isBehindBlank && !isRule(text));
      if (bullet !== undefined) current = bullet;
      else if (kind !== 'blank' && !goesOn) current = undefined;
      isBehindBlank = kind === 'blank';
    }
  }
  return counts;
}

function bulletOf(line: string): Bullet | undefined {
  return isRule(line) ? undefined : (/^ ?([-*+])[ \t]/.exec(line)?.[1] as Bullet | undefined);
}

/** A line that parts what stands above from what follows: `* * *`. */
function isRule(line: string): boolean {
  return /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/.test(line);
}

/** What the sections are called: where two are of a kind, as consequences that are good or bad, no name is for all. */
function headingsByKind(sections: readonly DecisionSection[]): DocumentStyle['headings'] {
  const headings: { -readonly [Kind in SectionKind]?: string } = {};
  const seen = new Set<SectionKind>();
  for (const { kind, heading } of sections) {
    if (kind === undefined) continue;
    if (seen.has(kind)) delete headings[kind];
    else if (heading.length <= 60 && !/[:：]/.test(heading)) headings[kind] = heading;
    seen.add(kind);
  }
  return headings;
}
