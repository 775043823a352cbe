import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { type DocumentNode, type DocumentProblem, deepestNode, type MapEntry, type ReadDocument } from './nodes.ts';

/** A JSON document. Of keys that stand twice in an object the last counts. Takes time in the length of the text; never throws. */
export function readJson(source: string): ReadDocument {
  const reading: Reading = { open: [], root: undefined, key: undefined, problem: undefined };
  try {
    visit(source, visitorOf(reading), { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  const { root, problem } = reading;
  return problem === undefined ? { root } : { root, problem };
}

interface Reading {
  readonly open: Open[];
  root: DocumentNode | undefined;
  key: { readonly name: string; readonly line: number } | undefined;
  problem: DocumentProblem | undefined;
}

type Open =
  | { readonly kind: 'map'; readonly line: number; readonly entries: Map<string, MapEntry> }
  | { readonly kind: 'list'; readonly line: number; readonly items: DocumentNode[] };

class TooDeep extends Error {}

function visitorOf(reading: Reading) {
  const begin = (node: Open): void => {
    put(reading, node);
    reading.open.push(node);
    if (reading.open.length <= deepestNode) return;
    reading.problem ??= { line: node.line, message: `values lie more than ${deepestNode} deep: write them flatter` };
    throw new TooDeep();
  };
  const end = (): void => {
    reading.open.pop();
  };
  return {
    onObjectBegin: (_: number, _length: number, line: number) =>
      begin({ kind: 'map', line: line + 1, entries: new Map() }),
    onObjectEnd: end,
    onArrayBegin: (_: number, _length: number, line: number) => begin({ kind: 'list', line: line + 1, items: [] }),
    onArrayEnd: end,
    onObjectProperty: (name: string, _: number, _length: number, line: number) => {
      reading.key = { name, line: line + 1 };
    },
    onLiteralValue: (value: unknown, _: number, _length: number, line: number) => {
      put(reading, { kind: 'scalar', line: line + 1, value: value as string | number | boolean | null });
    },
    onError: (code: ParseErrorCode, _: number, _length: number, line: number) => {
      reading.problem ??= { line: line + 1, message: wordsOf(code) };
    },
  };
}

function put(reading: Reading, node: DocumentNode): void {
  const around = reading.open.at(-1);
  if (around === undefined) reading.root ??= node;
  else if (around.kind === 'list') around.items.push(node);
  else if (reading.key !== undefined) around.entries.set(reading.key.name, { line: reading.key.line, value: node });
}

function wordsOf(code: ParseErrorCode): string {
  switch (printParseErrorCode(code)) {
    case 'CommaExpected':
      return 'a comma is missing here, or one too many stands before it';
    case 'ColonExpected':
      return 'a colon is missing behind a key';
    case 'CloseBraceExpected':
      return 'an object is not ended: add its }';
    case 'CloseBracketExpected':
      return 'a list is not ended: add its ]';
    case 'PropertyNameExpected':
      return 'a key in double quotes is missing here';
    case 'UnexpectedEndOfString':
      return 'a string does not end on its line: end it with its quote';
    case 'InvalidCommentToken':
      return 'JSON has no comments: take this one out';
    case 'EndOfFileExpected':
      return 'something stands behind the end of the document: take it out';
    default:
      return 'this is no JSON';
  }
}
