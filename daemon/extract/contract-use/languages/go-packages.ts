import { perSource } from '../text/per-source.ts';
import { type Found, inCode, nextOf, type Source } from '../text/source.ts';

/** Packages that a file imports. */
export interface Packages {
  /** By the names that they have in the file. */
  readonly byName: ReadonlyMap<string, string>;
  /** Generated ones whose names are all there: `import . "…"`. */
  readonly open: readonly string[];
  readonly usesGrpc: boolean;
}

export const packagesOf = perSource(foundPackagesOf);

function foundPackagesOf(source: Source): Packages {
  const byName = new Map<string, string>();
  const open = new Set<string>();
  let usesGrpc = false;
  for (const { name, path } of importsIn(source)) {
    if (name !== '.') byName.set(name, path);
    else if (isGenerated({ name, path }) || versionOf(path) !== '') open.add(path);
    if (
      /^google\.golang\.org\/grpc(?:\/|$)|^connectrpc\.com\/|bufbuild\/connect-go|twitchtv\/twirp|go-kratos\/|go-zero\/zrpc/.test(
        path,
      )
    )
      usesGrpc = true;
  }
  return { byName, open: [...open].slice(0, 50), usesGrpc };
}

interface Import {
  readonly name: string;
  readonly path: string;
  readonly at: number;
}

export function* importsIn(source: Source): Iterable<Import> {
  for (const match of inCode(source, /\bimport\s{1,20}(?:\(|([\w.]{1,100})?\s{0,20}["`]([^"`\n]{1,300})["`])/g)) {
    const [whole, name, path] = match;
    if (path !== undefined) yield { name: name ?? nameOfPackage(path), path, at: match.index };
    else yield* listed(source, match.index + whole.length);
  }
}

function* listed(source: Source, from: number): Iterable<Import> {
  const closed = nextOf(source.code, ')', from, 20_000);
  const list = source.readable.slice(from, closed < 0 ? from + 20_000 : closed);
  for (const match of list.matchAll(/^[ \t]{0,20}(?:([\w.]{1,100})[ \t]{1,20})?["`]([^"`\n]{1,300})["`]/gm)) {
    const [whole, name, path] = match;
    const at = from + match.index + whole.search(/\S/);
    yield { name: name ?? nameOfPackage(path!), path: path!, at };
  }
}

/** As most packages are named: the last part of the path that is no version. */
function nameOfPackage(path: string): string {
  const parts = path.split('/').filter(part => !/^v\d{1,3}$/.test(part));
  const last = parts.at(-1) ?? path;
  return last
    .replace(/\.v\d{1,3}$/, '')
    .replace(/^go-|[.-]go$/, '')
    .replaceAll('-', '_');
}

/** Whether a path or a name tells that a package was generated: of a service's own packages these are the usual ones. */
export function isGenerated({ name, path }: { readonly name: string; readonly path: string }): boolean {
  if (
    /^google\.golang\.org\/(?:grpc|protobuf)(?:\/|$)|^github\.com\/(?:golang|gogo)\/protobuf(?:\/|$)|^(?:connectrpc\.com|github\.com\/bufbuild)\/connect(?:-go)?$/.test(
      path,
    )
  )
    return false;
  return (
    /(?:^|\/)(?:genproto|gen|generated|pb|pbs|protos?|protobuf|protogen|grpc_?gen|gen[-_]?go|api\/gen|rpc)(?:\/|$)|pb(?:\/v\d{1,3}(?:alpha|beta)?\d{0,3})?$|connect$|^buf\.build\/gen\//.test(
      path,
    ) || /^_?pb$|pb$|^pb\w|connect$|_pb$|proto$/.test(name)
  );
}

/** Whether a package is one of a version of an API, and is called so: `inventoryv1` for `…/inventory/v1`. */
export function isVersioned({ name, path }: { readonly name: string; readonly path: string }): boolean {
  const version = versionOf(path);
  return version !== '' && name.endsWith(version);
}

function versionOf(path: string): string {
  return /\/(v\d{1,3}(?:(?:alpha|beta)\d{0,3})?)$/.exec(path)?.[1] ?? '';
}

/** Where a name without a package before it may be from. */
export function placeOfOpen({ open }: Packages): Pick<Found, 'from' | 'among'> {
  const [only] = open;
  if (open.length === 1) return { from: only! };
  return open.length === 0 ? {} : { among: open };
}
