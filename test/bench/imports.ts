import { readFileSync } from 'node:fs';
import { createLinker } from '../../daemon/link/linker.ts';
import { readTree } from '../support/linked-tree.ts';
import { builtFolders, type Cruised, sourceOf } from './cruised.ts';

/**
 * Where imports lead, against dependency-cruiser: edges from file to file, and dependencies by the file that names them.
 *
 *   node dist/test/bench/imports.js <root> <dependency-cruiser's JSON> [--built build/src=src] [--differences]
 *
 * Its modules are named from the root. What it found in built files counts as found in their sources: `--built` says where
 * these lie, folder for folder.
 */
const [root = '.', cruised = '', ...flags] = process.argv.slice(2);
const built = flags.includes('--built') ? builtFolders(flags[flags.indexOf('--built') + 1]!) : undefined;

/** Edges as `from\tto`, each with whether it is for types alone. */
type Edges = ReadonlyMap<string, boolean>;

interface Found {
  readonly inside: Edges;
  readonly outside: Edges;
  readonly unresolved: Edges;
}

const tree = await readTree(root);
const expected = ofCruiser(JSON.parse(readFileSync(cruised, 'utf8')) as Cruised);
const sources = new Set(expected.sources);
const found = ofLinker();
compare('file to file', expected.inside, found.inside);
compare('dependencies', expected.outside, found.outside);
compare('leads nowhere', expected.unresolved, found.unresolved);

function ofCruiser({ modules }: Cruised): Found & { readonly sources: readonly string[] } {
  const [inside, outside, unresolved] = [new Map(), new Map(), new Map()] as Map<string, boolean>[];
  const read = modules.filter(({ source }) => tree.document(source) !== undefined);
  for (const { source, dependencies } of read) {
    for (const one of dependencies) {
      const path = sourceOf(one.resolved, path => tree.has(path), built);
      const isTypeOnly = one.dependencyTypes.some(type => type === 'type-only' || type === 'type-import');
      if (tree.has(path)) add(inside!, source, path, isTypeOnly);
      else if (one.coreModule) add(outside!, source, `node:${one.module.replace(/^node:/, '')}`, isTypeOnly);
      else if (/^(?:\.|\/)/.test(one.module)) add(unresolved!, source, one.module, isTypeOnly);
      else add(outside!, source, `npm:${packageOf(one.module)}`, isTypeOnly);
    }
  }
  return { inside: inside!, outside: outside!, unresolved: unresolved!, sources: read.map(one => one.source) };
}

function ofLinker(): Found {
  const [inside, outside, unresolved] = [new Map(), new Map(), new Map()] as Map<string, boolean>[];
  const linker = createLinker(tree);
  for (const { path, facts } of tree.all) {
    if (!sources.has(path)) continue;
    linker.link(path).imports.forEach((target, at) => {
      const { specifier, typeOnly } = facts.imports[at]!;
      if (target.kind === 'file') add(inside!, path, target.path, typeOnly);
      if (target.kind === 'external')
        add(outside!, path, `${target.manager}:${dependency(target, specifier)}`, typeOnly);
      if (target.kind === 'unresolved') add(unresolved!, path, specifier, typeOnly);
    });
  }
  return { inside: inside!, outside: outside!, unresolved: unresolved! };
}

function dependency({ manager, package: name }: { manager: string; package: string }, specifier: string): string {
  return manager === 'node' ? specifier.replace(/^node:/, '') : name;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** For types alone as long as no import needs more. */
function add(edges: Map<string, boolean>, from: string, to: string, isTypeOnly: boolean): void {
  const edge = `${from}\t${to}`;
  edges.set(edge, isTypeOnly && edges.get(edge) !== false);
}

function compare(what: string, expected: Edges, found: Edges): void {
  const missing = [...expected.keys()].filter(edge => !found.has(edge));
  const more = [...found.keys()].filter(edge => !expected.has(edge));
  const otherwise = [...found].filter(([edge, typeOnly]) => expected.has(edge) && expected.get(edge) !== typeOnly);
  const same = found.size - more.length;
  print(
    `${what}: ${expected.size} expected, ${found.size} found, ${same} the same; ${missing.length} missing, ${more.length} more; ${otherwise.length} otherwise for types alone`,
  );
  if (!flags.includes('--differences')) return;
  for (const edge of missing.sort()) print(`  - ${edge}`);
  for (const edge of more.sort()) print(`  + ${edge}`);
  for (const [edge, typeOnly] of otherwise) print(`  ${typeOnly ? 'type' : 'code'} ${edge}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
