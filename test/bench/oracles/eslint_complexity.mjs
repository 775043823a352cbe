/**
 * Complexity as ESLint's `complexity` and eslint-plugin-sonarjs's `cognitive-complexity` report it at a threshold of 0: for
 * each file that parses one JSON line `{path, functions: [[line, endLine, name, cyclomatic, cognitive]]}`.
 *
 *   SVC_ESLINT=<folder where eslint 8.57, eslint-plugin-sonarjs 0.25 and @typescript-eslint/parser are installed>
 *     node eslint_complexity.mjs <root> < list-of-paths
 *
 * Cognitive complexity is null for what the plugin takes for no function: static blocks and initial values of fields. Those
 * that ESLint gives 1 are left out.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const from = createRequire(resolve(process.env.SVC_ESLINT ?? '.', 'package.json'));
const { Linter } = from('eslint');
const { getMainFunctionTokenLocation } = from('eslint-plugin-sonarjs/lib/utils/locations');
const root = process.argv[2];

const linter = new Linter();
linter.defineParser('typescript', from('@typescript-eslint/parser'));
linter.defineRule('cognitive', from('eslint-plugin-sonarjs').rules['cognitive-complexity']);
linter.defineRule('functions', { create: listFunctions });
const noPlace = { line: 0, column: 0 };
const rules = { complexity: [2, 0], cognitive: [2, 0], functions: 2 };

for (const path of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const functions = measured(readFileSync(join(root, path), 'utf8'), path);
  if (functions !== undefined) process.stdout.write(`${JSON.stringify({ path, functions })}\n`);
}

function measured(text, path) {
  for (const sourceType of ['module', 'script']) {
    const parserOptions = { ecmaVersion: 'latest', sourceType, ecmaFeatures: { jsx: !/\.[cm]?ts$/.test(path) } };
    const parser = /\.[cm]?tsx?$/.test(path) ? { parser: 'typescript' } : {};
    const messages = linter.verify(
      text,
      { ...parser, parserOptions, rules },
      { filename: path, allowInlineConfig: false },
    );
    if (!messages.some(one => one.fatal)) return rowsOf(messages);
  }
  return undefined;
}

/** Joins what three rules say of one place. */
function rowsOf(messages) {
  const cyclomatic = new Map();
  const initial = new Map();
  const cognitive = new Map();
  const number = /(?:complexity of|Complexity from) (\d+)/;
  for (const one of messages) {
    const place = `${one.line}:${one.column}`;
    const value = Number(number.exec(one.message)?.[1]);
    if (one.ruleId === 'cognitive') cognitive.set(place, value);
    if (one.ruleId !== 'complexity') continue;
    (one.message.startsWith('Class field initializer') ? initial : cyclomatic).set(place, value);
  }
  return messages
    .filter(one => one.ruleId === 'functions')
    .map(one => JSON.parse(one.message))
    .flatMap(({ kind, line, endLine, name, at, token }) => {
      if (kind === 'function') return [[line, endLine, name, cyclomatic.get(at), cognitive.get(token) ?? 0]];
      const value = (kind === 'field' ? initial : cyclomatic).get(at);
      return kind === 'field' && value === 1 ? [] : [[line, endLine, name, value, null]];
    });
}

function listFunctions(context) {
  const source = context.sourceCode;
  const placeOf = ({ line, column }) => `${line}:${column + 1}`;
  const tell = (node, kind, name, first = node) => {
    const token =
      kind === 'function' ? placeOf(getMainFunctionTokenLocation(node, node.parent, context)?.start ?? noPlace) : '';
    const line = first.loc.start.line;
    const told = { kind, line, endLine: node.loc.end.line, name, at: placeOf(node.loc.start), token };
    context.report({ node, message: JSON.stringify(told).replaceAll('{{', '{ {') });
  };
  const isMember = ({ type, method, kind }) =>
    type === 'MethodDefinition' || (type === 'Property' && (method || kind === 'get' || kind === 'set'));
  /** What stands behind decorators. */
  const firstOf = ({ decorators = [], ...node }) =>
    decorators.length === 0 ? node : source.getTokenAfter(decorators.at(-1));
  return {
    ':function'(node) {
      if (isMember(node.parent)) tell(node, 'function', source.getText(node.parent.key), firstOf(node.parent));
      else tell(node, 'function', node.id?.name ?? '');
    },
    StaticBlock: node => tell(node, 'static', 'static'),
    'PropertyDefinition[value]': ({ value, key }) => tell(value, 'field', source.getText(key)),
  };
}
