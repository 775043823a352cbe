import type { Condition } from '../../../model/facts.ts';
import type { Declaring } from '../../outline.ts';
import type { SyntaxTree } from '../../tree.ts';
import { both, not, type Truth, truthOf } from './truth.ts';

/** Under which condition of the preprocessor a position of the file stands. */
export function conditionAt(tree: SyntaxTree, offset: number): Condition {
  const { starts, conditions } = regionsOf(tree);
  let low = 0;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return conditions[low - 1] ?? '';
}

/** Definitions that know under which condition they stand. */
export function conditioned(definitions: Declaring['definitions']): Declaring['definitions'] {
  const rules = Object.entries(definitions).map(([kind, rule]) => {
    const conditionedRule: typeof rule = (tree, node) =>
      [rule(tree, node) ?? []]
        .flat()
        .map(one => ({ ...one, condition: conditionAt(tree, tree.start[one.nameNode] ?? 0) }));
    return [kind, conditionedRule] as const;
  });
  return Object.fromEntries(rules);
}

/** Where another condition begins to hold, and which. */
interface Regions {
  readonly starts: number[];
  readonly conditions: Condition[];
}

/** An `#if` that is not closed yet: what its branch says, that none before it was taken, what holds around all of it. */
interface Choice {
  branch: Truth;
  othersFail: Truth;
  readonly around: Condition;
}

const known = new WeakMap<SyntaxTree, Regions>();

function regionsOf(tree: SyntaxTree): Regions {
  const found = known.get(tree) ?? regionsIn(tree.source);
  known.set(tree, found);
  return found;
}

/** By the text: where a file is read without its directives, the tree has none. */
function regionsIn(source: string): Regions {
  const regions: Regions = { starts: [], conditions: [] };
  if (!mayMatter.test(source)) return regions;
  const open: Choice[] = [];
  for (const { 0: text, 1: word, 2: said = '', index } of source.matchAll(directives)) {
    if (word === undefined) continue;
    const before = conditionOf(open.at(-1));
    step(open, word, said.replace(/\\\r?\n/g, ' '));
    const condition = conditionOf(open.at(-1));
    if (condition === before) continue;
    regions.starts.push(index + text.length);
    regions.conditions.push(condition);
  }
  return regions;
}

/** Directives, and all in which what looks like one is none. */
const directives =
  /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b((?:.*\\\r?\n)*.*)/gm;
const mayMatter = /^[ \t]*#[ \t]*(?:if|el)/m;

function step(open: Choice[], word: string, said: string): void {
  const last = open.at(-1);
  if (word.startsWith('if')) {
    open.push({ branch: saidBy(word, said), othersFail: 'always', around: conditionOf(last) });
  } else if (word === 'endif') open.pop();
  else if (last !== undefined) {
    last.othersFail = both(last.othersFail, not(last.branch));
    last.branch = word === 'else' ? 'always' : saidBy(word, said);
  }
}

function saidBy(word: string, said: string): Truth {
  if (word === 'if' || word === 'elif') return truthOf(said);
  const isDefined = truthOf(`defined(${/\w+/.exec(said)?.[0] ?? ''})`);
  return word.endsWith('ndef') ? not(isDefined) : isDefined;
}

function conditionOf(choice: Choice | undefined): Condition {
  if (choice === undefined) return '';
  const truth = both(choice.othersFail, choice.branch);
  if (choice.around === 'never' || truth === 'never') return 'never';
  return choice.around === 'elsewhere' || truth === 'elsewhere' ? 'elsewhere' : '';
}
