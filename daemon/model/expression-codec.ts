import type { Expression } from './facts.ts';

const ops = [
  'slot',
  'import',
  'free',
  'member',
  'call',
  'instance',
  'element',
  'awaited',
  'super',
  'unknown',
  'generic',
  'either',
  'function',
  'parameter',
  'argument',
  'overload',
  'otherwise',
] as const;

/** An expression as it is stored: its operation and two operands, 0 where it has fewer. */
export type ExpressionWords = readonly [op: number, first: number, second: number];

/** `intern` gives the number of a text. */
export function expressionWords(expression: Expression, intern: (text: string) => number): ExpressionWords {
  const op = ops.indexOf(expression.op);
  switch (expression.op) {
    case 'slot':
    case 'super':
      return [op, expression.slot, 0];
    case 'import':
      return [op, expression.import, 0];
    case 'free':
      return [op, intern(expression.name), 0];
    case 'member':
      return [op, expression.of, intern(expression.name)];
    case 'call':
    case 'instance':
    case 'element':
    case 'awaited':
    case 'function':
      return [op, expression.of, 0];
    case 'generic':
      return [op, expression.of, expression.argument];
    case 'either':
    case 'otherwise':
      return [op, expression.of, expression.other];
    case 'overload':
      return [op, expression.of, intern(expression.arguments.join(','))];
    case 'parameter':
      return [op, expression.of, expression.position];
    case 'argument':
      return [op, expression.slot, expression.position];
    case 'unknown':
      return [op, 0, 0];
  }
}

/** The expression of three words; `texts` gives the text of a number. Undefined where there is no such operation. */
export function expressionOf(
  number: number,
  first: number,
  second: number,
  texts: { text(index: number): string },
): Expression | undefined {
  const op = ops[number];
  if (op === undefined) return undefined;
  switch (op) {
    case 'slot':
    case 'super':
      return { op, slot: first };
    case 'import':
      return { op, import: first };
    case 'free':
      return { op, name: texts.text(first) };
    case 'member':
      return { op, of: first, name: texts.text(second) };
    case 'call':
    case 'instance':
    case 'element':
    case 'awaited':
    case 'function':
      return { op, of: first };
    case 'generic':
      return { op, of: first, argument: second };
    case 'either':
    case 'otherwise':
      return { op, of: first, other: second };
    case 'overload':
      return { op, of: first, arguments: texts.text(second).split(',').filter(Boolean).map(Number) };
    case 'parameter':
      return { op, of: first, position: second };
    case 'argument':
      return { op, slot: first, position: second };
    case 'unknown':
      return { op };
  }
}
