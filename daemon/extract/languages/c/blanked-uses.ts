import type { FactsBuilder } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';

/** Refers to the macros that the parser never saw, since `prepared` has blanks in their place: see `blankMacros`. */
export function referToBlanked(tree: SyntaxTree, prepared: string, facts: FactsBuilder): void {
  const { source } = tree;
  const enclosing = createEnclosing(facts);
  for (const { 0: word, index } of source.matchAll(tokens)) {
    const end = index + word.length;
    if (
      prepared[index] === source[index] ||
      !(inCapitals.test(word) || (atStart(source, index) && source[end] === '('))
    )
      continue;
    const slot = facts.slotsNamed(-1, word).find(one => facts.definition(one).condition === '');
    facts.within(enclosing(facts.positionAt(index)), () => {
      const denoted = slot === undefined ? facts.free(`|${word}`) : facts.slot(slot);
      facts.referAt(index, end, source[end] === '(' ? 'call' : 'read', denoted);
    });
  }
}

/** Words, and all in which a word is none: comments, directives, strings. */
const tokens =
  /\/\/.*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:.*\\\r?\n)*.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\b[A-Za-z_]\w*/gm;
const inCapitals = /^[A-Z][A-Z0-9_]{2,}$/;

function atStart(source: string, index: number): boolean {
  return index === 0 || source[index - 1] === '\n';
}

type Position = readonly [line: number, column: number];

/** Slot of the innermost definition around a position, -1 outside of all; asked for positions that ascend. */
function createEnclosing({ definitions }: FactsBuilder): (at: Position) => number {
  const startOf = (slot: number): Position => [
    definitions[slot]!.range.startLine,
    definitions[slot]!.range.startColumn,
  ];
  const endOf = (slot: number): Position => [definitions[slot]!.range.endLine, definitions[slot]!.range.endColumn];
  const slots = [...definitions.keys()].sort((a, b) => compare(startOf(a), startOf(b)) || a - b);
  const around: number[] = [];
  let next = 0;
  return at => {
    for (; next < slots.length && compare(startOf(slots[next]!), at) <= 0; next++) around.push(slots[next]!);
    while (around.length > 0 && compare(endOf(around.at(-1)!), at) <= 0) around.pop();
    return around.at(-1) ?? -1;
  };
}

function compare(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1];
}
