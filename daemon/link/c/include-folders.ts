import { directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';

/** Folders that are looked through for what files of a folder include, in their order. */
export interface IncludeFolders {
  /** That the build says, of what is compiled there and of what that links. */
  readonly said: readonly string[];
  /** That it says of anything else. */
  readonly others: readonly string[];
}

/** As CMake says, and a list of compilations; nothing is said twice. */
export function includeFolders(ask: Questions, directory: string): IncludeFolders {
  const found = ask.shared(`c include folders ${directory}`, () => {
    const around = foldersAround(directory).flatMap(folder => listsIn(ask, folder));
    const [own] = around.filter(one => one.targets.size > 0);
    const everywhere = around.flatMap(one => one.includes);
    const linked = own === undefined ? [] : linkedBy(ask, [...own.targets.keys()]);
    const said = new Set([...everywhere, ...linked, ...compiledWith(ask)]);
    const others = new Set(allLists(ask).flatMap(one => [...one.includes, ...includesOf(one)]));
    return { said: [...said], others: [...others].filter(one => !said.has(one)) };
  });
  return found ?? nothing;
}

const nothing: IncludeFolders = { said: [], others: [] };

/** A folder and those around it, the innermost first. */
export function foldersAround(directory: string): readonly string[] {
  const found = [directory];
  for (let at = directory; at !== ''; ) {
    at = directoryOf(at);
    found.push(at);
  }
  return found;
}

/** What a CMakeLists.txt says, its folders by their paths in the repository. */
interface Lists {
  readonly includes: readonly string[];
  readonly targets: ReadonlyMap<string, Target>;
}

interface Target {
  readonly includes: readonly string[];
  readonly links: readonly string[];
}

function listsIn(ask: Questions, folder: string): readonly Lists[] {
  const found = ask.shared(`c lists in ${folder}`, () => {
    const content = ask.configuration(folder === '' ? 'CMakeLists.txt' : `${folder}/CMakeLists.txt`);
    if (content === undefined) return undefined;
    const linked = (content['linked'] ?? {}) as Readonly<Record<string, Partial<Target>>>;
    const placed = (written: readonly string[] = []): readonly string[] =>
      written.flatMap(one => placesOf(ask, folder, one));
    return {
      includes: placed(content['includes'] as readonly string[] | undefined),
      targets: new Map(
        Object.entries(linked).map(([name, { includes, links = [] }]) => [name, { includes: placed(includes), links }]),
      ),
    };
  });
  return found === undefined ? [] : [found];
}

/** A folder that begins with `/` is one of a project around, whichever that is. */
function placesOf(ask: Questions, folder: string, written: string): readonly string[] {
  if (!written.startsWith('/')) return [join(folder, written) ?? []].flat();
  const projects = foldersAround(folder).filter(one =>
    ask.exists(one === '' ? 'CMakeLists.txt' : `${one}/CMakeLists.txt`),
  );
  return projects.flatMap(one => join(one, written.slice(1)) ?? []);
}

function allLists(ask: Questions): readonly Lists[] {
  const found = ask.shared('c lists', () =>
    ask.filesNamed('CMakeLists.txt').flatMap(path => listsIn(ask, directoryOf(path))),
  );
  return found ?? [];
}

function includesOf({ targets }: Lists): readonly string[] {
  return [...targets.values()].flatMap(one => one.includes);
}

/** Of some targets and all that they link, directly or not. */
function linkedBy(ask: Questions, names: readonly string[]): readonly string[] {
  const targets = targetsNamed(ask);
  const seen = new Set(names);
  const found: string[] = [];
  for (const name of seen) {
    for (const { includes, links } of targets.get(name) ?? []) {
      found.push(...includes);
      for (const one of links) seen.add(one.slice(one.lastIndexOf(':') + 1));
    }
  }
  return found;
}

function targetsNamed(ask: Questions): ReadonlyMap<string, readonly Target[]> {
  const found = ask.shared('c targets', () => {
    const named = new Map<string, Target[]>();
    for (const { targets } of allLists(ask)) {
      for (const [name, target] of targets) named.set(name, [...(named.get(name) ?? []), target]);
    }
    return named;
  });
  return found ?? new Map();
}

/** Folders that compilations were told of: where the repository lay is seen by a file that was compiled. */
function compiledWith(ask: Questions): readonly string[] {
  const found = ask.shared('c compilations', () =>
    ask.filesNamed('compile_commands.json').flatMap(path => {
      const content = ask.configuration(path) ?? {};
      const [files = [], includes = []] = [content['files'], content['includes']] as readonly (
        | readonly string[]
        | undefined
      )[];
      const roots = [...new Set(files.flatMap(one => rootOf(ask, one) ?? []))];
      return includes.flatMap(folder => {
        const whole = join('', folder) ?? '';
        const root = roots.find(one => whole === one || one === '' || whole.startsWith(`${one}/`));
        return root === undefined ? [] : [whole.slice(root === '' ? 0 : root.length + 1)];
      });
    }),
  );
  return found ?? [];
}

/** The folder that a file of the repository lay below, where it has that path; undefined where there is none of its name. */
function rootOf(ask: Questions, file: string): string | undefined {
  const parts = (join('', file) ?? '').split('/');
  const at = parts.findIndex((_, index) => ask.exists(parts.slice(index).join('/')));
  return at < 0 ? undefined : parts.slice(0, at).join('/');
}
