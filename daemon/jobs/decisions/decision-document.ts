import { literalBlock, literalText, withoutBlankEnds } from '../../extract/decisions/block-text.ts';
import { frontMatterText } from '../../extract/decisions/front-matter.ts';
import { writtenItems } from '../../extract/decisions/list-items.ts';
import { linesOf } from '../../extract/decisions/markdown-lines.ts';
import { consequencesIn, readDecision, textOf } from '../../extract/decisions/read-decision.ts';
import { foldedTitle, writtenTitle } from '../../extract/decisions/title.ts';
import type { Bullet, DecisionFormat, DecisionStatus, DecisionStyle, SectionKind } from '../../model/decision.ts';

/** A decision as somebody gives it. */
export interface NewDecision {
  readonly title: string;
  readonly status: DecisionStatus;
  readonly context: string;
  readonly decision: string;
  readonly consequences: readonly string[];
  readonly modules: readonly string[];
}

/** What it is stored with. */
interface DecisionStamp {
  /** In digits. */
  readonly number: string;
  /** `2026-01-31`. */
  readonly date: string;
}

/** A decision as it is stored: the title in one line, texts without blank lines around them, line ends alike. */
export function tidied(given: NewDecision): NewDecision {
  const text = (one: string): string => linesOf(withoutBlankEnds(encodable(one))).join('\n');
  return {
    ...given,
    title: foldedTitle(encodable(given.title)),
    context: text(given.context),
    decision: text(given.decision),
    consequences: given.consequences.map(one => text(one.trim())),
  };
}

/** Halves of characters become what UTF-8 has in their place. */
function encodable(text: string): string {
  return Buffer.from(text).toString();
}

/**
 * The document of a decision in a style. What is read from it is what was given: where Markdown of its own would change
 * that, the text is written so that none of its marks counts.
 */
export function decisionDocument(decision: NewDecision, stamp: DecisionStamp, style: DecisionStyle): string {
  const asMarkdown = composed(decision, stamp, style, literalBlock);
  const document = says(asMarkdown, decision) ? asMarkdown : composed(decision, stamp, style, literalText);
  return style.lineEnd === '\n' ? document : document.replaceAll('\n', style.lineEnd);
}

/** Without a document to follow: MADR 4. */
export const ownStyle: DecisionStyle = {
  format: 'madr4',
  lineEnd: '\n',
  isUnderlined: false,
  bullet: '*',
  metadataBullet: undefined,
  isCapital: false,
  titleNumber: undefined,
  headings: {},
};

function says(document: string, { context, decision, consequences, modules }: NewDecision): boolean {
  const { sections, modules: read } = readDecision(Buffer.from(document));
  return (
    textOf(sections, 'context') === context &&
    textOf(sections, 'decision') === decision &&
    isSame(consequencesIn(sections), consequences) &&
    isSame(read, modules)
  );
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function composed(
  decision: NewDecision,
  { number, date }: DecisionStamp,
  style: DecisionStyle,
  literal: (text: string, rank: number) => string,
): string {
  const { title, context, decision: decided, consequences, modules } = decision;
  const format = style.format ?? 'madr4';
  const status = style.isCapital ? capital(decision.status) : decision.status;
  const rank = format === 'nygard' ? 2 : 3;
  const listed = style.metadataBullet ?? style.bullet;
  const section = (kind: SectionKind, level: number, text: string): readonly string[] => [
    heading(style.headings[kind] ?? defaultHeadings[format][kind], level, style),
    text,
  ];
  const parts = [
    ...(isInFront(format) ? [frontMatterOf(status, date, modules)] : []),
    heading(writtenTitle(title, style.titleNumber, number), 1, style),
    ...(format === 'madr2' ? [`${listed} Status: ${status}\n${listed} Date: ${date}`] : []),
    ...(format === 'nygard' ? [`Date: ${date}`, ...section('status', 2, status)] : []),
    ...section('context', 2, literal(context, 2)),
    ...section('decision', 2, literal(decided, 2)),
    ...(consequences.length === 0 && areConsequencesOptional(format)
      ? []
      : section(
          'consequences',
          rank,
          writtenItems(consequences, style.bullet, text => literal(text, rank)),
        )),
    ...(isInFront(format) || modules.length === 0 ? [] : section('modules', 2, moduleItems(modules, style.bullet))),
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

/** MADR's templates say so of them, and of no other section that is written here; Nygard's has all of its sections. */
function areConsequencesOptional(format: DecisionFormat): boolean {
  return format !== 'nygard';
}

function isInFront(format: DecisionFormat): boolean {
  return format === 'madr3' || format === 'madr4';
}

function frontMatterOf(status: string, date: string, modules: readonly string[]): string {
  const listed = modules.map(module => `  - ${frontMatterText(module)}`);
  const lines = [
    `status: ${status}`,
    `date: ${date}`,
    ...(listed.length === 0 ? [] : ['affected-modules:', ...listed]),
  ];
  return ['---', ...lines, '---'].join('\n');
}

/** An underline is none below what may be taken for an item of a list or another mark. */
function heading(text: string, level: number, { isUnderlined }: DecisionStyle): string {
  if (!isUnderlined || level > 2 || !/^\p{L}/u.test(text)) return `${'#'.repeat(level)} ${text}`;
  return `${text}\n${(level === 1 ? '=' : '-').repeat(Math.max(3, text.length))}`;
}

function moduleItems(modules: readonly string[], bullet: Bullet): string {
  return modules.map(module => `${bullet} ${codeOf(module)}`).join('\n');
}

/** As code between more marks than stand in it. */
function codeOf(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = '`'.repeat(longest + 1);
  const gap = /^`|`$/.test(text) ? ' ' : '';
  return `${marks}${gap}${text}${gap}${marks}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const madr: Readonly<Record<SectionKind, string>> = {
  status: 'Status',
  date: 'Date',
  context: 'Context and Problem Statement',
  decision: 'Decision Outcome',
  consequences: 'Consequences',
  modules: 'Affected modules',
  links: 'More Information',
};

const defaultHeadings: Readonly<Record<DecisionFormat, Readonly<Record<SectionKind, string>>>> = {
  nygard: { ...madr, context: 'Context', decision: 'Decision', links: 'Links' },
  madr2: { ...madr, links: 'Links' },
  madr3: madr,
  madr4: madr,
};
