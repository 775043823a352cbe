import assert from 'node:assert/strict';
import type { DefinitionFact, DocumentFacts } from '../../daemon/model/facts.ts';
import { mountFile } from './linked-tree.ts';

/** The facts of one file, which must be readable. */
export async function factsOf(path: string, source: string): Promise<DocumentFacts> {
  const document = await mountFile(path, source);
  assert.ok(document, `${path} was not read`);
  return document.facts;
}

/** One line per definition, in the order of the source: `line kind tail marks`; marks are `+` exported, `~` internal, `!` private. */
export function outline(facts: DocumentFacts): string {
  return [...facts.definitions]
    .sort((a, b) => a.nameRange.startLine - b.nameRange.startLine || a.nameRange.startColumn - b.nameRange.startColumn)
    .map(one => `${one.nameRange.startLine + 1} ${one.kind} ${one.tail}${marks(one)}`)
    .join('\n');
}

function marks(one: DefinitionFact): string {
  const visibility = { public: '', internal: '~', private: '!' }[one.visibility];
  const all = (one.exported ? '+' : '') + visibility;
  return all === '' ? '' : ` ${all}`;
}

/** Text without the indentation that all its lines share, and without the empty lines around it. */
export function unindented(text: string): string {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n[ \t]*$/, '')
    .split('\n');
  const indents = lines.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length);
  const common = Math.min(...indents);
  return lines.map(line => line.slice(common)).join('\n');
}
