import { perSource } from '../text/per-source.ts';
import { type Found, inCode, type Source } from '../text/source.ts';

/** Which packages a file's names may be from, of Java, Kotlin and Scala. */
export interface Scope {
  /** By simple name: what it is in full. */
  readonly imported: ReadonlyMap<string, string>;
  /** Packages of which all is imported, and the file's own. */
  readonly open: readonly string[];
}

export const scopeOf = perSource(foundScopeOf);

function foundScopeOf(source: Source): Scope {
  const imported = new Map<string, string>();
  const open = new Set<string>();
  for (const { path, name } of importsIn(source)) {
    if (name === '*') open.add(path);
    else if (imported.size < mostNames) imported.set(name, path);
  }
  const [, own] = /^\s{0,20}package\s{1,20}([\w.]{1,300})/m.exec(source.code) ?? [];
  if (own !== undefined) open.add(own);
  return { imported, open: [...open].slice(0, 50) };
}

const mostNames = 5_000;

export interface Import {
  /** In full; of `a.b.*`, `a.b`. */
  readonly path: string;
  /** As the file calls it, `*` for all. */
  readonly name: string;
  readonly at: number;
}

export function* importsIn(source: Source): Iterable<Import> {
  const pattern =
    /^[ \t]{0,20}import\s{1,10}(?:static\s{1,10})?([\w.`]{1,400}?)(?:\.([*_])|\.\{([^{}]{0,2000})\})?(?:\s{1,10}as\s{1,10}(\w{1,200}))?[ \t]{0,10}(?:;|$)/gm;
  for (const match of inCode(source, pattern)) {
    const [whole, written, all, several, alias] = match;
    const path = written!.replaceAll('`', '');
    const at = match.index + whole.search(/\S/);
    if (all !== undefined) yield { path, name: '*', at };
    else if (several === undefined) yield { path, name: alias ?? lastPart(path), at };
    else {
      for (const one of several.split(',')) {
        const [name = '', renamed = name] = one.trim().split(/\s*(?:=>|\bas\b)\s*/);
        if (name === '_' || name === '*') yield { path, name: '*', at };
        else if (name !== '') yield { path: `${path}.${name}`, name: renamed, at };
      }
    }
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/**
 * The package of a generated class such as `CartServiceGrpc`, by the chain that stands before its name (`shop.v1.`), else by
 * imports: of the class, or of what is in it; else those that it may be of.
 */
export function packageOf(scope: Scope, chain: string, holder: string): Pick<Found, 'from' | 'among'> {
  const before = chain.replace(/\.$/, '');
  if (/^[a-z_]\w*(?:\.\w+)*$/.test(before)) return { from: before };
  const path = scope.imported.get(holder);
  if (path !== undefined) {
    const outer = path.slice(0, Math.max(0, path.lastIndexOf('.')));
    return outer === '' ? {} : { from: outer.replace(/(?:\.[A-Z]\w*)+$/, '') };
  }
  const [only] = scope.open;
  if (scope.open.length === 1) return { from: only! };
  return scope.open.length === 0 ? {} : { among: scope.open };
}
