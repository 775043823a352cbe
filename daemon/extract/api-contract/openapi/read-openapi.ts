import type { ApiMark, ApiServer, OpenApiSchema } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, itemsOf, mapOf, textOf, textsOf } from '../document/nodes.ts';
import { operationsOf, pathsElsewhere } from './operations.ts';
import type { ShapesRead } from './shape.ts';
import { shapesOf } from './shapes.ts';

/** The API that a document describes, of which `versionOf` told that it is one. */
export function readOpenApi(root: DocumentNode, version: string, lines: readonly string[]): OpenApiSchema {
  const info = at(root, 'info');
  const read: ShapesRead = { root, version, known: new Map(), digests: new Map(), isThere: new Map() };
  const servers = version === '2.0' ? serversOfHost(root) : serversOf(root);
  return {
    version,
    title: textOf(at(info, 'title')) ?? '',
    titleLine: mapOf(info).entries.get('title')?.line ?? 1,
    apiVersion: textOf(at(info, 'version')) ?? '',
    basePaths: version === '2.0' ? basePathOf(root) : [...new Set(servers.flatMap(({ url }) => pathOf(url)))],
    basePathLine: mapOf(root).entries.get(version === '2.0' ? 'basePath' : 'servers')?.line ?? 1,
    servers,
    operations: operationsOf(root, read),
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

function serversOf(root: DocumentNode): readonly ApiServer[] {
  return itemsOf(at(root, 'servers')).flatMap(server => {
    const url = textOf(at(server, 'url'));
    return url === undefined ? [] : [{ url: withDefaults(url, at(server, 'variables')), line: server.line }];
  });
}

/** `https://{region}.acme.com`, each variable with its default where it has one. */
function withDefaults(url: string, variables: DocumentNode | undefined): string {
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => textOf(at(at(variables, name), 'default')) ?? whole);
}

function serversOfHost(root: DocumentNode): readonly ApiServer[] {
  const host = textOf(at(root, 'host'));
  if (host === undefined) return [];
  const schemes = textsOf(at(root, 'schemes'));
  const base = textOf(at(root, 'basePath')) ?? '';
  const line = mapOf(root).entries.get('host')?.line ?? 1;
  return (schemes.length === 0 ? ['https'] : schemes).map(scheme => ({ url: `${scheme}://${host}${base}`, line }));
}

function basePathOf(root: DocumentNode): readonly string[] {
  const path = withoutSlash(textOf(at(root, 'basePath')) ?? '');
  return path === '' ? [] : [path];
}

/** What stands behind the host; nothing where nothing does. */
function pathOf(url: string): readonly string[] {
  const afterScheme = /^(?:[a-zA-Z][\w+.-]*:)?\/\/[^/?#]*/.exec(url)?.[0].length ?? 0;
  const [path = ''] = url.slice(afterScheme).split(/[?#]/, 1);
  const plain = withoutSlash(path);
  return plain === '' ? [] : [plain.startsWith('/') ? plain : `/${plain}`];
}

function withoutSlash(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
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
