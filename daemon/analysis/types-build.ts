import { fitsGlob } from '../model/fits-glob.ts';
import { join } from '../model/paths.ts';
import type { TypescriptWorkspace } from './typescript-workspace.ts';

/** Scripts of a package.json, by name. */
export type Scripts = Readonly<Record<string, string>>;

export interface BuildFacts {
  readonly type: TypescriptWorkspace['type'];
  readonly runner: TypescriptWorkspace['runner'];
  /** Folders of packages whose types somebody has to build. */
  readonly lacking: ReadonlySet<string>;
  /** Of the package in a folder, '' for the root. */
  readonly scriptsOf: (directory: string) => Scripts;
  /** The packages of the workspace: names by their folders. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether tsconfig.json at the root refers to those of packages. */
  readonly hasReferences: boolean;
}

/**
 * The command, run at the root, that makes the types of most packages: a script there that leads to what makes them, or else
 * a script of the packages themselves, for all of them. Undefined where no script is known to.
 */
export function typesBuild(facts: BuildFacts): string | undefined {
  if (facts.lacking.size === 0) return undefined;
  const { type, lacking } = facts;
  const installer = type === 'pnpm' || type === 'yarn' || type === 'bun' ? type : 'npm';
  const ofRoot = best(namesOf([facts.scriptsOf('')]), name => madeBy(name, '', facts, new Set()));
  const ofEach = best(namesOf([...lacking].map(facts.scriptsOf)), name => ofAll(name, facts, new Set()));
  // It keeps to the order in which packages need each other.
  if (ofRoot.worth > 0 && ofRoot.worth * 2 > ofEach.worth) return `${installer} run ${ofRoot.name}`;
  if (type === 'rush') return 'rush build';
  if (ofEach.worth > 0) return forAll(ofEach.name, facts);
  return facts.hasReferences ? 'npx -p typescript tsc --build' : undefined;
}

/** Packages whose types something makes: surely, or as far as the name of a script tells. */
interface Made {
  readonly surely: ReadonlySet<string>;
  readonly perhaps: ReadonlySet<string>;
}

const nothing: Made = { surely: new Set(), perhaps: new Set() };

function together(all: readonly Made[]): Made {
  return {
    surely: new Set(all.flatMap(({ surely }) => [...surely])),
    perhaps: new Set(all.flatMap(({ perhaps }) => [...perhaps])),
  };
}

/** Names by which scripts build, the likeliest first; those that check, watch or run something are none. */
function namesOf(all: readonly Scripts[]): readonly string[] {
  const names = [...new Set(all.flatMap(scripts => Object.keys(scripts)))];
  const rank = (name: string): number => (likely.indexOf(name) + likely.length + 1) % (likely.length + 1);
  return names
    .filter(name => builds.test(name) && !doesElse.test(name))
    .sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
}

const likely = ['build', 'compile', 'build:types', 'build-types', 'build:dts', 'build-dts', 'types', 'tsc'];
const builds = /build|compile|dts|types|declarations?|\btsc\b|bundle|dist|^prepare$|^prepack$/;
const doesElse =
  /test|lint|check|watch|\bdev\b|clean|\brm\b|serve|start|docs?\b|www|website|release|publish|preview|storybook/;

interface Script {
  readonly name: string;
  /** By how many packages it makes, surely before perhaps; 0 where none. */
  readonly worth: number;
}

/** Of several names the one that makes the most, the first of equal ones. */
function best(names: readonly string[], madeOf: (name: string) => Made): Script {
  let found: Script = { name: '', worth: 0 };
  for (const name of names) {
    const { surely, perhaps } = madeOf(name);
    const worth = surely.size * 10_000 + new Set([...surely, ...perhaps]).size;
    if (worth > found.worth) found = { name, worth };
  }
  return found;
}

/** What a script of a package makes, by way of those that it runs. */
function madeBy(name: string, directory: string, facts: BuildFacts, seen: Set<string>): Made {
  const key = `${directory} ${name}`;
  const scripts = facts.scriptsOf(directory);
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script === undefined || seen.has(key) || seen.size > mostScripts) return nothing;
  seen.add(key);
  const isLacking = facts.lacking.has(directory);
  const own: Made = isLacking && builds.test(name) ? { ...nothing, perhaps: new Set([directory]) } : nothing;
  const commands = script.split(/&&|\|\||[;|&]/).map(command => command.trim().split(/\s+/));
  return together([own, ...commands.map(words => madeByCommand(words, directory, facts, seen))]);
}

const mostScripts = 2_000;

function madeByCommand(words: readonly string[], directory: string, facts: BuildFacts, seen: Set<string>): Made {
  if (makesTypes(words)) {
    if (directory !== '') return facts.lacking.has(directory) ? { ...nothing, surely: new Set([directory]) } : nothing;
    // At the root plain `tsc` is about the root's own sources.
    return words.some(word => /^(?:-b|--build|-p|--project)$/.test(word))
      ? { ...nothing, surely: facts.lacking }
      : nothing;
  }
  const tool = words.find(word => runners.test(word));
  if (tool === undefined) return nothing;
  const named = words.filter(word => !word.startsWith('-') && word !== tool).map(word => word.replace(/^.*=/, ''));
  const aim = aimOf(words, directory, facts);
  const folders = typeof aim === 'string' && !/^(?:nx|turbo|lerna)$/.test(tool) ? [aim] : foldersOf(aim, facts);
  return together(folders.flatMap(folder => named.map(name => madeBy(name, folder, facts, seen))));
}

/** What runs scripts by their names. */
const runners = /^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all|nx|turbo|lerna)$/;

/** Whose scripts a command runs: those of the package in a folder, or of all that one of some patterns fits. */
function aimOf(words: readonly string[], directory: string, { names }: BuildFacts): string | readonly string[] {
  const behind = (flag: RegExp): readonly string[] =>
    words.flatMap((word, at) => {
      if (!flag.test(word)) return [];
      return word.includes('=') ? [word.replace(/^.*?=/, '')] : (words[at + 1] ?? []);
    });
  const [folder] = behind(/^(?:--cwd|--prefix|-C|--dir)(?:=|$)/);
  if (folder !== undefined) return join(directory, folder) ?? directory;
  const patterns = behind(/^(?:-F|--filter|--scope|workspace|-w|--workspace)(?:=|$)/);
  if (patterns.length > 0) return patterns.map(one => one.replace(/^["']|["']$/g, '').replace(/^\.\/|\.\.\.$/g, ''));
  const isForAll = words.some(word => /^(?:-r|--recursive|-ws|--workspaces|workspaces)$/.test(word));
  return isForAll ? [...names.keys()] : directory;
}

/** The packages that patterns of names or folders fit; all of them where what is aimed at is one folder. */
function foldersOf(aim: string | readonly string[], { names }: BuildFacts): readonly string[] {
  if (typeof aim === 'string') return [...names.keys()];
  const fits = (pattern: string, folder: string): boolean =>
    fitsGlob(pattern, folder) || fitsGlob(pattern, names.get(folder)!);
  return [...names.keys()].filter(folder => aim.some(pattern => fits(pattern, folder)));
}

/** What a script of that name makes in each package that has it. */
function ofAll(name: string, facts: BuildFacts, seen: Set<string>): Made {
  return together([...facts.lacking].map(folder => madeBy(name, folder, facts, seen)));
}

/** Programs that write files of types, by what they are called; some only where they are told to. */
function makesTypes(words: readonly string[]): boolean {
  const program = words.findIndex(word => makers.test(word));
  if (program < 0) return words.some(word => word === 'tsup') && words.some(word => /^--dts/.test(word));
  return !words.some(word => /^--(?:noEmit|init|version|watch)$/i.test(word));
}

const makers =
  /^(?:tsc|vue-tsc|tsgo|ttsc|tspc|tsdown|tshy|unbuild|bunchee|microbundle|ng-packagr|svelte-package|api-extractor|dts-bundle-generator|preconstruct)$/;

/** Runs a script in all packages that have it. */
function forAll(name: string, { type, runner }: BuildFacts): string {
  if (runner === 'nx') return `npx nx run-many --target ${name}`;
  // Turbo knows the tasks that its own file lists.
  if (runner === 'turbo' && name === 'build') return `npx turbo run ${name}`;
  if (runner === 'lerna') return `npx lerna run ${name}`;
  if (type === 'pnpm') return `pnpm --recursive run ${name}`;
  if (type === 'bun') return `bun run --filter '*' ${name}`;
  return type === 'yarn' ? `yarn workspaces run ${name}` : `npm run ${name} --workspaces --if-present`;
}
