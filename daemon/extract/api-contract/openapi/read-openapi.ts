import type { ApiMark, OpenApiSchema } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, mapOf, textOf } from '../document/nodes.ts';
import { addressOf } from './addresses.ts';
import { operationsOf, pathsElsewhere } from './operations.ts';
import type { ShapesRead } from './shape.ts';
import { shapesOf } from './shapes.ts';

/** The API that a document describes, of which `versionOf` told that it is one. */
export function readOpenApi(root: DocumentNode, version: string, lines: readonly string[]): OpenApiSchema {
  const info = at(root, 'info');
  const read: ShapesRead = { root, version, known: new Map(), digests: new Map(), isThere: new Map() };
  return {
    version,
    title: textOf(at(info, 'title')) ?? '',
    titleLine: mapOf(info).entries.get('title')?.line ?? 1,
    apiVersion: textOf(at(info, 'version')) ?? '',
    ...addressOf(root, version),
    ...operationsOf(root, read),
    pathsElsewhere: pathsElsewhere(root),
    shapes: shapesOf(root, read),
    marks: [...marksOf(root), ...marksOf(info)],
    lines,
  };
}

/**
 * The version of OpenAPI that a root says it has, as its description has the key: `swagger: "2.0"`, `openapi: 3.0.3`.
 * undefined for anything else, and for what says nothing but that.
 */
export function versionOf(root: DocumentNode | undefined): string | undefined {
  const isDescribed = ['info', 'paths', 'components', 'definitions', 'webhooks'].some(
    key => at(root, key) !== undefined,
  );
  if (!isDescribed) return undefined;
  const swagger = textOf(at(root, 'swagger'));
  if (swagger === '2.0' || swagger === '2') return '2.0';
  const openapi = textOf(at(root, 'openapi'));
  return openapi !== undefined && /^3(?:\.\d{1,3}){0,2}(?:-[\w.]{1,20})?$/.test(openapi) ? openapi : undefined;
}

const markNames = new Set([
  'x-internal',
  'x-audience',
  'x-api-audience',
  'x-visibility',
  'x-public',
  'x-private',
  'x-scope',
]);

function marksOf(node: DocumentNode | undefined): readonly ApiMark[] {
  return [...mapOf(node).entries].flatMap(([name, { line, value }]) => {
    const text = textOf(value);
    return markNames.has(name.toLowerCase()) && text !== undefined ? [{ name, value: text, line }] : [];
  });
}
