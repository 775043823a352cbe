import type { Questions } from '../resolver.ts';
import { allProjects, compiles, isOutput, type Project, projectFolderOf, projectsIn } from './dotnet-projects.ts';

/** Whether code of a file may name what another defines: their projects are the same, or the one refers to the other, as far as that is known. */
export function seesFile(ask: Questions, from: string, to: string): boolean {
  const [users, owners] = [projectsOf(ask, from), projectsOf(ask, to)];
  if (users.length === 0 || owners.length === 0 || !doRefer(ask)) return true;
  return users.some(user => {
    const seen = seenBy(ask, user);
    return seen.has('?') || owners.some(({ path }) => seen.has(keyOf(path)));
  });
}

/** Whether two files are compiled together. */
export function areOfOneProject(ask: Questions, one: string, other: string): boolean {
  const owners = new Set(projectsOf(ask, other));
  return owners.size === 0 || projectsOf(ask, one).some(project => owners.has(project));
}

/** The projects that compile a file. */
function projectsOf(ask: Questions, path: string): readonly Project[] {
  return ask.shared(`csharp projects of ${path}`, () => compiling(ask, path)) ?? [];
}

function compiling(ask: Questions, path: string): readonly Project[] {
  const own = projectFolderOf(ask, path);
  const isOwn = own !== undefined && !isOutput(own, path);
  const byItself = own === undefined ? [] : projectsIn(ask, own).filter(one => compiles(one, path, isOwn));
  const takers = takersOf(ask).filter(one => !byItself.includes(one) && compiles(one, path, false));
  return takers.length === 0 ? byItself : [...byItself, ...takers];
}

/** Packages that the projects of a file refer to, or those that they see; sorted, without the repository's own. */
export function packagesSeenFrom(ask: Questions, path: string): readonly string[] {
  const projects = projectsOf(ask, path);
  const found = ask.shared(`csharp packages of ${projects.map(one => one.path).join(' ')}`, () => {
    const [byPath, named] = [projectsByPath(ask), projectsNamed(ask)];
    const seen = new Set(projects.flatMap(one => [...seenBy(ask, one)]));
    const all = [...seen].flatMap(one => byPath.get(one)?.packages ?? []);
    return [...new Set(all)].filter(one => !named.has(one)).sort();
  });
  return found ?? [];
}

/** Projects that compile what lies elsewhere. */
export function takersOf(ask: Questions): readonly Project[] {
  const found = ask.shared('csharp takers', () =>
    allProjects(ask).filter(({ sources }) => sources.some(one => one.isTaken)),
  );
  return found ?? [];
}

/** Where no project refers to another, how they do is not known. */
function doRefer(ask: Questions): boolean {
  const found = ask.shared('csharp referring', () => ({
    any: allProjects(ask).some(({ references }) => references.length > 0),
  }));
  return found?.any ?? false;
}

/** The projects that one sees, by their keys: itself, what it refers to, and what that does; `?` where one is not known. */
function seenBy(ask: Questions, { path }: Project): ReadonlySet<string> {
  const found = ask.shared(`csharp seen by ${path}`, () => {
    const [byPath, named] = [projectsByPath(ask), projectsNamed(ask)];
    const seen = new Set([keyOf(path)]);
    for (const one of seen) {
      const { references = [], packages = [] } = byPath.get(one) ?? {};
      for (const other of [...references, ...packages.flatMap(name => named.get(name) ?? [])]) seen.add(keyOf(other));
    }
    return seen;
  });
  return found ?? new Set();
}

function projectsByPath(ask: Questions): ReadonlyMap<string, Project> {
  const found = ask.shared(
    'csharp projects by path',
    () => new Map(allProjects(ask).map(one => [keyOf(one.path), one])),
  );
  return found ?? new Map();
}

/** Case says nothing where such paths are written. */
function keyOf(path: string): string {
  return path.toLowerCase();
}

function projectsNamed(ask: Questions): ReadonlyMap<string, readonly string[]> {
  const found = ask.shared('csharp projects by name', () => {
    const named = new Map<string, string[]>();
    for (const { names, path } of allProjects(ask)) {
      for (const name of names) named.set(name, [...(named.get(name) ?? []), path]);
    }
    return named;
  });
  return found ?? new Map();
}
