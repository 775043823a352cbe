import {
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';
import {
  type DocumentNode,
  type DocumentProblem,
  deepestNode,
  type MapEntry,
  mapOf,
  type ReadDocument,
} from './nodes.ts';

/** What aliases may make of a document when each is written out. */
const mostNodes = 2_000_000;
const mostMerged = 200_000;

/** Signs of a text that are looked at, some two or three to a line: eight megabytes of what anybody writes. */
const mostLexemes = 1_200_000;
/** Each costs the library as much as a hundred characters. */
const mostErrors = 100;

/**
 * The documents of a YAML stream, one after the other, as they are asked for. Of keys that stand twice in a map the last
 * counts, and the second is a problem. Takes time in the length of the text; never throws.
 */
export function* readYaml(source: string): Iterable<ReadDocument> {
  const lines = new LineCounter();
  const { tokens, problem } = tokensOf(source, lines);
  if (problem !== undefined) {
    yield { root: undefined, problem };
    return;
  }
  // The library compares each key with each other one to find doubles: they are found here.
  const composer = new Composer({ uniqueKeys: false, keepSourceTokens: false, lineCounter: lines, logLevel: 'silent' });
  for (const document of composer.compose(tokens)) yield nodesOf(document, lines);
}

interface Tokens {
  readonly tokens: readonly CST.Token[];
  readonly problem?: DocumentProblem;
}

/** What composes them calls itself for each list in a list, and a stack without room ends the process: those are told here. */
function tokensOf(source: string, lines: LineCounter): Tokens {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors++;
    }
    if (parser.stack.length > deepestNode)
      return stopped(lines, parser.offset, `values lie more than ${deepestNode} deep: write them flatter`);
    if (++lexemes > mostLexemes) return stopped(lines, parser.offset, 'the file is too long, and is not read');
    if (errors > mostErrors) break;
  }
  tokens.push(...parser.end());
  return { tokens };
}

function stopped(lines: LineCounter, offset: number, message: string): Tokens {
  return { tokens: [], problem: { line: lines.linePos(offset).line || 1, message } };
}

interface Reading {
  readonly lines: LineCounter;
  readonly anchors: Map<string, DocumentNode>;
  /** Of maps and lists, as they are when each alias in them is written out. */
  readonly extents: Map<DocumentNode, Extent>;
  /** Keys that `<<` has brought. */
  merged: number;
  problem: DocumentProblem | undefined;
}

interface Extent {
  readonly nodes: number;
  readonly depth: number;
}

const one: Extent = { nodes: 1, depth: 1 };

function nodesOf(document: Document.Parsed | Document, lines: LineCounter): ReadDocument {
  const reading: Reading = { lines, anchors: new Map(), extents: new Map(), merged: 0, problem: undefined };
  const [error] = document.errors;
  if (error !== undefined)
    reading.problem = { line: lines.linePos(error.pos[0]).line || 1, message: wordsOf(error.code) };
  const root = document.contents === null ? undefined : nodeOf(reading, document.contents as Node, 1);
  const { problem } = reading;
  const { nodes, depth } = root === undefined ? one : extentOf(reading, root);
  if (nodes > mostNodes || depth > deepestNode) {
    const message = 'aliases make too much of it, or make it too deep: write them out';
    return { root: undefined, problem: { line: root?.line ?? 1, message } };
  }
  return problem === undefined ? { root } : { root, problem };
}

function nodeOf(reading: Reading, node: Node | null | undefined, around: number): DocumentNode {
  const line = lineOf(reading, node, around);
  if (isAlias(node)) return aliased(reading, node.source, line);
  const made = isMap(node)
    ? mapNode(reading, node.items as readonly PairOfNodes[], line)
    : isSeq(node)
      ? listNode(reading, node.items as readonly Node[], line)
      : scalarNode(node, line);
  if (node?.anchor !== undefined) reading.anchors.set(node.anchor, made);
  return made;
}

interface PairOfNodes {
  readonly key: Node | null;
  readonly value: Node | null;
}

function lineOf(reading: Reading, node: Node | null | undefined, around: number): number {
  const start = node?.range?.[0];
  return start === undefined ? around : reading.lines.linePos(start).line || around;
}

function aliased(reading: Reading, name: string, line: number): DocumentNode {
  const found = reading.anchors.get(name);
  if (found !== undefined) return found;
  reading.problem ??= { line, message: `the alias *${name.slice(0, 40)} names no anchor that stands before it` };
  return { kind: 'scalar', line, value: null };
}

function mapNode(reading: Reading, pairs: readonly PairOfNodes[], line: number): DocumentNode {
  const entries = new Map<string, MapEntry>();
  const merged = new Set<string>();
  for (const pair of pairs) {
    const keyLine = lineOf(reading, pair.key, line);
    const value = nodeOf(reading, pair.value, keyLine);
    const name = nameOf(reading, pair.key, keyLine);
    if (name === '<<') merge(reading, entries, merged, value);
    else {
      if (entries.has(name) && !merged.delete(name))
        reading.problem ??= {
          line: keyLine,
          message: `the key ${JSON.stringify(cut(name))} stands in this map before`,
        };
      entries.set(name, { line: keyLine, value });
    }
  }
  return measured(reading, { kind: 'map', line, entries }, entries.values());
}

/** No contract has a key that is a list or a map; `{{ .Values.title }}` of a template is one to YAML. */
function nameOf(reading: Reading, key: Node | null, line: number): string {
  if (isScalar(key)) return key.source ?? String(key.value);
  if (key !== null)
    reading.problem ??= { line, message: 'a key is a list or a map here: quotes may be missing around it' };
  return '';
}

/** `<<: *base`: what the map has itself goes before it, wherever it stands. */
function merge(reading: Reading, entries: Map<string, MapEntry>, merged: Set<string>, value: DocumentNode): void {
  for (const one of value.kind === 'list' ? value.items : [value]) {
    for (const [name, entry] of mapOf(one).entries) {
      if (entries.has(name)) continue;
      if (++reading.merged > mostMerged) {
        reading.problem ??= { line: value.line, message: 'keys are merged into too many maps: write them out' };
        return;
      }
      entries.set(name, entry);
      merged.add(name);
    }
  }
}

function listNode(reading: Reading, nodes: readonly Node[], line: number): DocumentNode {
  const items = nodes.map(node => nodeOf(reading, node, line));
  return measured(
    reading,
    { kind: 'list', line, items },
    items.map(value => ({ value })),
  );
}

function measured(
  reading: Reading,
  node: DocumentNode,
  parts: Iterable<{ readonly value: DocumentNode }>,
): DocumentNode {
  let nodes = 1;
  let depth = 0;
  for (const { value } of parts) {
    const part = extentOf(reading, value);
    nodes = Math.min(nodes + part.nodes, mostNodes + 1);
    depth = Math.max(depth, part.depth);
  }
  reading.extents.set(node, { nodes, depth: depth + 1 });
  return node;
}

function scalarNode(node: Node | null | undefined, line: number): DocumentNode {
  if (!isScalar(node)) return { kind: 'scalar', line, value: null };
  const { value, source } = node;
  if (typeof value === 'string') return { kind: 'scalar', line, value };
  if (typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'scalar', line, value, written: source ?? String(value) };
  return { kind: 'scalar', line, value: null };
}

function extentOf(reading: Reading, node: DocumentNode): Extent {
  return reading.extents.get(node) ?? one;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function wordsOf(code: ErrorCode): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'a tab stands where YAML takes blanks alone';
    case 'BAD_INDENT':
      return 'the line is indented otherwise than those that it belongs to';
    case 'MISSING_CHAR':
      return 'a quote, a bracket, a comma or a blank is missing here';
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'a key and its value stand where a value was begun: a colon in a text wants quotes around it';
    case 'UNEXPECTED_TOKEN':
      return 'something stands here that YAML does not expect: quotes may be missing around it';
    default:
      return `this is no YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
  }
}
