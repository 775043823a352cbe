import type { ProseBlock } from '../../model/prose.ts';
import { wordsOfName } from './name-words.ts';
import { beginningOf } from './sentences.ts';
import { type Telling, tellingOf } from './telling.ts';

/** What a text about a module says first of it. */
export interface ProseSummary {
  readonly text: string;
  /** 0-based. */
  readonly line: number;
  readonly telling: Exclude<Telling, 'nothing'>;
}

/**
 * The paragraph of a text that says what its module is: of the introduction, of a section that is called so, of what is
 * written as HTML there, or of any other section that is about the thing and not about its use; in this order, and before
 * that by how much it says. `names`: what the module goes by.
 */
export function proseSummary(blocks: readonly ProseBlock[], names: readonly string[]): ProseSummary | undefined {
  const candidates = placed(blocks).flatMap(({ block, place, list }) => {
    const alone = withoutAnnouncement(block.text);
    // What says no more than that a list follows says what the list does.
    const isTold = tellingOf(alone, names) === 'bare' && alone !== block.text && list.length > 0;
    const text = isTold ? `${block.text} ${list.join('; ')}` : alone;
    const telling = tellingOf(text, names);
    if (telling === 'nothing') return [];
    // What a section says that is called otherwise is a part of the whole, at best.
    return [{ text, line: block.line, place, telling: place === elsewhere && telling === 'much' ? 'little' : telling }];
  });
  const early = candidates.slice(0, mostEarly);
  const isSubject = (one: (typeof candidates)[number]): boolean =>
    early.includes(one) && one.place < elsewhere && names.some(name => beginsWith(one.text, name));
  const ranked = [...candidates].sort(
    (a, b) => rank[a.telling] - rank[b.telling] || Number(isSubject(b)) - Number(isSubject(a)) || a.place - b.place,
  );
  const [best] = ranked;
  if (best === undefined) return undefined;
  // "The Rust parser." says little, and yet belongs in front of what says more.
  const [first] = candidates;
  const isTitled = first !== undefined && first.telling === 'bare' && best.telling === 'much' && first.place === 0;
  const text = isTitled ? `${first.text.replace(/(?<=[\p{L}\p{N})])$/u, '.')} ${best.text}` : best.text;
  return { text: beginningOf(text), line: isTitled ? first.line : best.line, telling: best.telling };
}

/** Of so many paragraphs one that begins with the module's name is meant to say what it is. */
const mostEarly = 3;

const rank: Readonly<Record<Telling, number>> = { much: 0, bare: 1, little: 2, nothing: 3 };

/** "OkHttp is an HTTP client": the paragraph's subject is the module. */
function beginsWith(text: string, name: string): boolean {
  const own = wordsOfName(name).join('');
  const [start = ''] =
    /^(?:the\s+)?(.{0,80}?)\s(?:is|are|provides?|implements?|adds?|offers?|lets|allows?|helps?|makes|gives|brings|contains?|generates?|routes)\s/i.exec(
      text,
    ) ?? [];
  const subject = wordsOfName(start.replace(/^the\s/i, '')).join('');
  return own !== '' && subject.startsWith(own);
}

/** What announces a list says the rest of what it says: "A string type that has the following properties:". */
function withoutAnnouncement(text: string): string {
  if (!text.endsWith(':')) return text;
  const end = text.search(/[.!?]\s[^.!?]*:$/);
  if (end >= leastSentence) return text.slice(0, end + 1);
  return text
    .replace(
      /(?:,?\s+(?:that|which|and|it))?(?:\s+(?:has|have|provides?|contains?|supports?|includes?|including|offers?|consists? of|with|such as|like|are|is))?(?:\s+(?:the|these|some|several))?\s+(?:following|below|such as|these|properties|features)\b[^.]{0,60}:$/i,
      '',
    )
    .replace(/:$/, '');
}

const leastSentence = 20;

interface Placed {
  readonly block: ProseBlock;
  /** How likely a paragraph there says what the whole is: 0 most. */
  readonly place: number;
  /** The first items of a list right below. */
  readonly list: readonly string[];
}

/** The place of sections that are neither called for what the whole is nor for its use. */
const elsewhere = 3;

/** Paragraphs with their places; those of sections about other things are left out. */
function placed(blocks: readonly ProseBlock[]): readonly Placed[] {
  const found: Placed[] = [];
  let headings = 0;
  let section = '';
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      headings++;
      section = headings === 1 && found.length === 0 && !besides.test(block.text) ? '' : block.text;
      continue;
    }
    const isText = block.kind === 'paragraph' || block.kind === 'quote' || block.kind === 'html';
    if (!isText || besides.test(section)) continue;
    const isHtml = block.kind === 'html' ? 2 : 0;
    const place = section === '' ? 0 : about.test(section) ? 1 : elsewhere;
    found.push({ block, place: Math.max(place, isHtml), list: listBelow(blocks, at) });
  }
  return found;
}

const mostItems = 4;

function listBelow(blocks: readonly ProseBlock[], at: number): readonly string[] {
  const rest = blocks.slice(at + 1, at + 1 + mostItems);
  const end = rest.findIndex(({ kind }) => kind !== 'item');
  return rest.slice(0, end < 0 ? mostItems : end).map(({ text }) => text.replace(/[.;,]$/, ''));
}

const about =
  /^\W*(?:about|overview|introduction|intro|description|summary|abstract|background|purpose|motivation|what\b|why\b|the problem|responsibilit)/i;

/** Sections that say how something is got, built, used or paid for. */
const besides =
  /^\W*(?:\d+[.)]\s*)?(?:making |changing |updating |install|set-?up|usage|use\b|using|how to|getting started|get started|quick ?start|start|run|running|build|compil|develop|test|debug|deploy|release|publish|contribut|contributors|code of conduct|licen[cs]|copyright|author|maintainer|credit|acknowledg|thanks|sponsor|backer|donat|support|help|communit|contact|question|faq|trouble|known (?:issue|limitation)|limitation|issue|bug|changelog|change log|changes|history|migrat|upgrad|version|compatib|requirement|prerequisite|dependenc|table of contents|contents|toc|documentation|docs|links?|resource|reference|further reading|read more|learn more|see also|related|example|demo|screenshot|sample|tutorial|guide|config|option|environment|api\b|cli\b|command|status|roadmap|todo|security|reporting|benchmark|performance|download|badge|news|star history)/i;
