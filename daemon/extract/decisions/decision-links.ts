import type { DecisionLink } from '../../model/decision.ts';
import { isReplaced, isReplacing } from './status.ts';
import { plainInline } from './title.ts';

/** The relations that have a meaning here; all others stand in the document's own words. */
export const supersededBy = 'superseded by';
export const supersedes = 'supersedes';

/** A document that says more about others is a list of them. */
const mostLinks = 100;

/**
 * What a document says of others: by links or numbers behind words of replacing, in its status and metadata, and by links
 * in its sections of links.
 */
export function linksOf(
  status: string,
  relations: readonly string[],
  sections: readonly string[],
): readonly DecisionLink[] {
  const told = [...status.split('\n'), ...relations].flatMap(linksIn);
  const listed = sections
    .flatMap(text => text.split('\n'))
    .flatMap(line => linksIn(line).filter(({ target }) => target !== ''));
  const all = new Map([...told, ...listed].map(link => [`${link.relation}\n${link.label}\n${link.target}`, link]));
  return [...all.values()].slice(0, mostLinks);
}

function linksIn(whole: string): readonly DecisionLink[] {
  const line = whole.slice(0, longestLine);
  const links: DecisionLink[] = [];
  let from = 0;
  for (const found of line.matchAll(/\[([^[\]]{1,300})\]\(<?([^()<>\s]{1,1000})>?[^()]{0,200}\)/g)) {
    const words = line.slice(from, found.index);
    from = found.index + found[0].length;
    // Several links behind one word are related by the same.
    const relation = joining.has(wordsIn(words)) ? (links.at(-1)?.relation ?? relatesTo) : relationOf(words);
    links.push({ relation, label: plainInline(found[1]!), target: found[2]! });
  }
  return links.length > 0 ? links : numbersIn(line);
}

const longestLine = 2000;
/** What may stand between two links of one kind. */
const joining: ReadonlySet<string> = new Set(['', 'and', 'or', 'und', 'et', 'y', 'e', 'en', 'и', '和']);
const relatesTo = 'relates to';

/** `Superseded by ADR-0012`, `supersedes 3 and backend/4`: numbers that no link leads to. */
function numbersIn(line: string): readonly DecisionLink[] {
  const found = /\b(?:super[sc]ede[ds](?:\s+by)?|replace[ds](?:\s+by)?|obsolete[ds](?:\s+by)?)\b[\s:]*(.*)$/i.exec(
    line,
  );
  if (found === null) return [];
  const relation = relationOf(found[0]);
  return [...found[1]!.matchAll(numbered)]
    .slice(0, mostLinks)
    .map(([label]) => ({ relation, label: label.replace(/^[\s,(]+/, ''), target: '' }));
}

/** By its number, as `ADR-12` or `#12`, behind its category where it has one. */
const numbered = /(?:^|[\s,(])(?:adr[-_ #]{0,3}|#)?(?:\p{L}[^\s,()/]*\/)*(?:adr[-_ #]{0,3})?\d{1,6}(?![\w-])/giu;

function relationOf(words: string): string {
  if (isReplacing(words)) return supersedes;
  return isReplaced(words) ? supersededBy : wordsIn(words).slice(-longestRelation) || relatesTo;
}

const longestRelation = 60;

function wordsIn(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
