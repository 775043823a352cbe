import { type ApiKeyword, type ApiKeywordName, keywordNames } from '../../../../model/openapi-schema.ts';
import type { ChangeSeverity } from '../change.ts';
import type { FlatShape } from './flat-shape.ts';
import type { Direction } from './found.ts';
import type { Say } from './shape-rules.ts';

/** What values are held against besides types and limits: which way that goes is told where it can be. */
export function compareKeywords(say: Say, direction: Direction, name: string, old: FlatShape, now: FlatShape): void {
  if (old.keywords.length + now.keywords.length === 0) return;
  for (const keyword of keywordNames) {
    const [was, is] = [saidOf(old, keyword), saidOf(now, keyword)];
    if (textOf(was) === textOf(is)) continue;
    const change = changeOf(keyword, was, is);
    const message = `${keyword} of ${name} ${wordsOf[change]}${keyword === 'dependentRequired' ? pairsShown(was, is) : ''}`;
    say(`${idOf(keyword)}-changed`, severityOf(direction, keyword, change), message, {
      before: was[0]?.line,
      after: is[0]?.line,
    });
  }
}

function saidOf({ keywords }: FlatShape, keyword: ApiKeywordName): readonly ApiKeyword[] {
  return keywords.filter(({ name }) => name === keyword);
}

function textOf(said: readonly ApiKeyword[]): string {
  return [...new Set(said.map(({ digest }) => digest))].sort().join();
}

function idOf(keyword: ApiKeywordName): string {
  return keyword === 'if' ? 'condition' : keyword.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** Whether fewer values pass, more, or neither is known. */
type Change = 'narrowed' | 'widened' | 'differs';

const wordsOf: Record<Change, string> = {
  narrowed: 'is asked for now: other values are refused',
  widened: 'is no longer asked for',
  differs: 'differs',
};

/** Without these, other keywords hold for what they told of. */
const standInFor: ReadonlySet<ApiKeywordName> = new Set(['prefixItems', 'patternProperties']);

function changeOf(keyword: ApiKeywordName, was: readonly ApiKeyword[], is: readonly ApiKeyword[]): Change {
  if (keyword === 'dependentRequired') {
    const [had, has] = [pairsOf(was), pairsOf(is)];
    if ([...had].every(pair => has.has(pair))) return 'narrowed';
    return [...has].every(pair => had.has(pair)) ? 'widened' : 'differs';
  }
  if (standInFor.has(keyword)) return 'differs';
  return was.length === 0 ? 'narrowed' : is.length === 0 ? 'widened' : 'differs';
}

function pairsOf(said: readonly ApiKeyword[]): ReadonlySet<string> {
  return new Set(said.flatMap(({ pairs }) => pairs));
}

function pairsShown(was: readonly ApiKeyword[], is: readonly ApiKeyword[]): string {
  const [had, has] = [pairsOf(was), pairsOf(is)];
  const changed = [...[...has].filter(pair => !had.has(pair)), ...[...had].filter(pair => !has.has(pair))];
  return ` (${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ' …' : ''})`;
}

/** Of these it is certain that requests which were taken are refused; the others may have been kept before they were written down. */
const certain: ReadonlySet<ApiKeywordName> = new Set([
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
]);

function severityOf(direction: Direction, keyword: ApiKeywordName, change: Change): ChangeSeverity {
  if (change === 'differs') return 'risky';
  if ((change === 'narrowed') !== (direction === 'request')) return 'safe';
  return change === 'narrowed' && certain.has(keyword) ? 'breaking' : 'risky';
}
