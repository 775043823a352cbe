import { isCommonWord } from './common-words.ts';
import type { NamedPackage } from './definition-table.ts';

/**
 * Whether an address is likely one of the repository's own pages: its host or a part of its path is called as a package is.
 * What anything may be called (`api`, `client`) must be the site's own name, or stand with all that the package's name has.
 */
export function isOfPackages(address: string, packages: readonly NamedPackage[]): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname } = new URL(address);
  const path = pathname.split('/').filter(Boolean).map(versionless);
  const labels = hostname.split('.').slice(0, -1);
  const hosts = labels.flatMap(hostNames);
  return packages.some(({ name }) => {
    const parts = name.split('/').map(plain);
    // Who publishes several packages has one site for them.
    const own = name.startsWith('@') ? parts[0]!.slice(1) : parts.at(-1)!;
    if (labels.at(-1) === own || (parts.length > 1 && stands(parts, [hostname, ...path]))) return true;
    return !isCommonWord(own) && (hosts.includes(own) || path.includes(own));
  });
}

/** `cobra@v1.8.0` is `cobra`. */
function versionless(part: string): string {
  return plain(part.replace(/(.)@.*$/, '$1'));
}

/** `expressjs` and `python-httpx` are sites of `express` and `httpx`. */
function hostNames(label: string): readonly string[] {
  const words = label.split('-');
  return [label, ...(words.length > 1 ? words : []), label.replace(/js$/, '')].map(plain);
}

function plain(part: string): string {
  return part.toLowerCase().replaceAll('-', '_');
}

function stands(parts: readonly string[], path: readonly string[]): boolean {
  return path.some((_, from) => parts.every((part, at) => part === path[from + at]));
}
