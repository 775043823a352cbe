import assert from 'node:assert/strict';
import { openApiDocument } from '../../client/protocol/openapi.ts';
import { packageRoot } from '../../daemon/package-root.ts';
import { groupOf, matchRoute } from '../../http/routes.ts';
import type { RawAnswer } from './listener.ts';

/** The fields of an error, by whose path was asked. */
const errorFields = {
  core: ['error', 'code', 'details', 'suggestedFixes', 'drilldowns'],
  index: ['error'],
  otlp: ['code', 'message', 'details'],
} as const;

/**
 * Whatever came, the answer must be one that a program can read and a person can trace. `target`: the path that was asked, which
 * says whose errors they are.
 */
export function assertOrderly(answer: RawAnswer, label: string, target = '/'): Record<string, unknown> {
  assertMarked(answer, label);
  assert.equal(answer.headers['content-type'], 'application/json', label);
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  if (answer.status >= 400) assert.deepEqual(Object.keys(body), errorFields[groupOf(target.split('?')[0]!)], label);
  assert.doesNotMatch(answer.body, /node_modules|at .*\.js|SELECT|FST_ERR|HPE_/, label);
  assert.equal(answer.body.includes(packageRoot), false, label);
  return body;
}

/** The headers that every answer has, with a body or without. */
export function assertMarked({ headers }: RawAnswer, label: string): void {
  assert.equal(headers['access-control-allow-origin'], '*', label);
  assert.equal(headers['access-control-allow-credentials'], undefined, label);
  assert.match(headers['x-request-id'] ?? '', /^[\x20-\x7e]{1,128}$/, label);
  assert.equal(headers['x-content-type-options'], 'nosniff', label);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', label);
}

const described = openApiDocument({ version: '0.0.0' })['paths'] as Record<
  string,
  Record<string, { readonly responses: Readonly<Record<string, unknown>> }>
>;

/** Whoever reads the description knows every status that a route answers with. */
export function assertDeclared(bytes: string, status: number, label: string): void {
  const [method = '', target = ''] = bytes.split(' ');
  const match = matchRoute(method, target.split('?')[0]!);
  if (match.kind !== 'route') return;
  const path = match.route.binding.path.replace(/(?<=\/):([A-Za-z]+)\*?/g, '{$1}');
  const { responses } = described[path]![match.route.binding.method.toLowerCase()]!;
  assert.ok(String(status) in responses, `${label}: ${method} ${path} does not declare ${status}`);
}
