import { type ApiAddress, type ApiServer, briefAddress, hostOf } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, itemsOf, type MapEntry, mapOf, textOf, textsOf } from '../document/nodes.ts';

/** Where the requests of a document go. */
export function addressOf(root: DocumentNode, version: string): ApiAddress {
  if (version !== '2.0') return addressAt(mapOf(root).entries.get('servers'));
  const { entries } = mapOf(root);
  return {
    basePaths: basePathOf(root),
    basePathLine: entries.get('basePath')?.line ?? 1,
    servers: serversOfHost(root),
    ...schemesAt(entries.get('schemes')),
  };
}

/** Of an operation, or of all those of a path; undefined where they say nothing of it. In version 2 that is `schemes` alone. */
export function ownAddress(
  around: ApiAddress,
  version: string,
  holders: readonly DocumentNode[],
): ApiAddress | undefined {
  const key = version === '2.0' ? 'schemes' : 'servers';
  for (const holder of holders) {
    const entry = mapOf(holder).entries.get(key);
    if (entry === undefined || itemsOf(entry.value).length === 0) continue;
    return briefAddress(version === '2.0' ? { ...around, ...schemesAt(entry) } : addressAt(entry));
  }
  return undefined;
}

function addressAt(entry: MapEntry | undefined): ApiAddress {
  const servers = serversOf(entry?.value);
  const line = entry?.line ?? 1;
  const far = servers.filter(({ url }) => hostOf(url).length > 0);
  return {
    basePaths: [...new Set(servers.flatMap(({ url }) => pathOf(url)))],
    basePathLine: line,
    servers,
    schemes: [...new Set(far.flatMap(({ url }) => /^([a-z][\w+.-]{0,20}):/i.exec(url)?.[1]?.toLowerCase() ?? []))],
    schemesLine: line,
  };
}

function schemesAt(entry: MapEntry | undefined): Pick<ApiAddress, 'schemes' | 'schemesLine'> {
  const schemes = new Set(textsOf(entry?.value).map(scheme => scheme.toLowerCase()));
  return { schemes: [...schemes], schemesLine: entry?.line ?? 1 };
}

function serversOf(node: DocumentNode | undefined): readonly ApiServer[] {
  return itemsOf(node).flatMap(server => {
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
