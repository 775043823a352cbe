import type { Lookup, Questions } from '../resolver.ts';
import { packagesSeenFrom } from './seen-projects.ts';
import { typeAt } from './usings.ts';

/** What code adds to .NET's namespaces stands in for what an older one lacks; they are of who has `System.Object`. */
export function isOfDotnet(look: Lookup, namespace: string): boolean {
  return ofDotnet.test(namespace) && !elsewhere.test(namespace) && typeAt(look, 'System.Object') === undefined;
}

const ofDotnet = /^(?:System|Microsoft\.(?:Win32|CSharp|VisualBasic))(?:\.|$)/;

/** What comes in packages alone, whichever .NET it is. */
const elsewhere =
  /^System\.(?:CommandLine|Composition|Data\.(?:Entity|SQLite|SqlClient|SqlServerCe)|IdentityModel|Interactive|IO\.Abstractions|Linq\.(?:Dynamic|Async)|Reactive|ServiceModel|Threading\.RateLimiting|Web\.(?:Http|Mvc|Optimization|WebPages))(?:\.|$)/;

/**
 * The package that a namespace is of which the repository does not have: of those that the projects of a file refer to the
 * longest that the namespace begins with, or the shortest that begins with the namespace. Where none does, the name by which
 * packages of its kind begin.
 */
export function packageOf(ask: Questions, from: string, namespace: string): string {
  const seen = packagesSeenFrom(ask, from);
  const [around] = seen.filter(one => isWithin(namespace, one)).sort((a, b) => b.length - a.length);
  const [below] = seen.filter(one => isWithin(one, namespace)).sort((a, b) => a.length - b.length);
  return around ?? below ?? customary(namespace);
}

/** Case tells no packages apart. */
function isWithin(name: string, other: string): boolean {
  return `${name}.`.toLowerCase().startsWith(`${other}.`.toLowerCase());
}

function customary(namespace: string): string {
  const [top = '', next] = namespace.split('.');
  return /^(?:Microsoft|System)$/.test(top) && next !== undefined ? `${top}.${next}` : top;
}
