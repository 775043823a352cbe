import { type CodeGraph, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import type { Overriding } from './overriding.ts';

/** Whether code runs where a property is read or written, as far as its text tells: it has a getter or setter that is written out. */
function isAccessor(graph: CodeGraph, site: GraphSite): boolean {
  const { in: one, at } = site;
  if (kindOfDefinition(one, at) !== 'property') return false;
  const pattern = accessors[one.language];
  return pattern?.test(graph.declaredAt(site).signature) === true;
}

const ofEcmascript =
  /^(?:(?:public|private|protected|static|abstract|override|async|@[\w.]+(?:\([^()]*\))?)\s+)*[gs]et\s/;

const accessors: Readonly<Record<string, RegExp>> = {
  typescript: ofEcmascript,
  javascript: ofEcmascript,
  // Of a property by a decorator the function is the definition.
  python: /\bdef\b/,
  dart: /\b[gs]et\b/,
  kotlin: /\s(?:by\s|[gs]et\s*\()/,
  csharp: /=>|\{[^{}]*\b(?:get|set|init)\s*\{/,
};

/** Whether what a field or property begins with is what its code gives; of one with accessors of its own, whether it begins with anything. */
export function isInitialised(graph: CodeGraph, site: GraphSite): boolean {
  if (!isAccessor(graph, site)) return true;
  const { signature } = graph.declaredAt(site);
  const accessor = signature.search(/\b[gs]et\s*\(/);
  return site.in.language === 'kotlin' && accessor >= 0 && signature.slice(0, accessor).includes('=');
}

/** Whether reading or writing a property may run code: its own, or that of one that overrides it. */
export function mayRunWhenRead(graph: CodeGraph, { overriding }: Overriding, property: number): boolean {
  const sites = graph.sitesOf(property);
  if (sites[0] === undefined || kindOfDefinition(sites[0].in, sites[0].at) !== 'property') return false;
  return (
    sites.some(site => isAccessor(graph, site)) || overriding(property).some(({ site }) => isAccessor(graph, site))
  );
}
