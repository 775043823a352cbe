import type { MountedDocument } from '../../model/document.ts';
import { directoryOf } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import { compiles, isOutput, type Project, projectFolderOf, projectsIn } from './dotnet-projects.ts';
import { takersOf } from './seen-projects.ts';

/** What all files of a project use. */
export interface GlobalUsings {
  /** Tails: `A/B/`. */
  readonly namespaces: ReadonlySet<string>;
  /** Of which static members are named without them. */
  readonly types: ReadonlySet<string>;
  /** The file that gives a type another name, or the type itself where a project does. */
  readonly aliases: ReadonlyMap<string, { readonly file: string } | { readonly type: string }>;
}

/** `A.B` is `A/B/`. */
export function tailOf(path: string): string {
  return path === '' ? '' : `${path.split('.').join('/')}/`;
}

/**
 * What a file uses without saying so itself: what its project says and what other files of the project use for all. A file
 * that no project has above it is of those that compile it from elsewhere; where none does, all such files are one project.
 */
export function globalUsings(ask: Questions, from: MountedDocument): GlobalUsings {
  const folder = projectFolderOf(ask, from.path);
  if (folder !== undefined) return once(ask, `of ${folder}`, () => ofProject(ask, folder));
  const folders = takingIt(ask, from.path);
  if (folders.length === 0) return once(ask, '', () => withoutProject(ask));
  return joined(folders.map(one => once(ask, `of ${one}`, () => ofProject(ask, one))));
}

const none: GlobalUsings = { namespaces: new Set(), types: new Set(), aliases: new Map() };

function once(ask: Questions, which: string, find: () => GlobalUsings): GlobalUsings {
  return ask.shared(`csharp usings ${which}`, find) ?? none;
}

/** Folders of projects that compile a file which no project takes by itself. */
function takingIt(ask: Questions, path: string): readonly string[] {
  const takers = takersOf(ask).filter(project => compiles(project, path, false));
  return [...new Set(takers.map(one => directoryOf(one.path)))];
}

function ofProject(ask: Questions, folder: string): GlobalUsings {
  const projects = projectsIn(ask, folder);
  const isOwn = (path: string): boolean => projectFolderOf(ask, path) === folder && !isOutput(folder, path);
  const places = new Set([folder]);
  for (const { sources } of projects) for (const one of sources) if (one.isTaken) places.add(one.folder);
  const files = new Set([...places].flatMap(place => ask.globalsBelow(place)));
  const compiled = [...files].filter(path => projects.some(project => compiles(project, path, isOwn(path))));
  const usings = projects.flatMap(project => project.usings);
  return joined([...compiled.sort().map(path => ofFile(ask, path)), ofUsings(usings)]);
}

function withoutProject(ask: Questions): GlobalUsings {
  const files = ask
    .globalsBelow('')
    .filter(path => projectFolderOf(ask, path) === undefined && takingIt(ask, path).length === 0);
  return joined(files.map(path => ofFile(ask, path)));
}

function ofFile(ask: Questions, file: string): GlobalUsings {
  const all = ask.wholesale(file);
  const plain = all.filter(one => one.wildcard);
  return {
    namespaces: new Set(plain.filter(one => one.name !== 'static').map(one => tailOf(one.specifier))),
    types: new Set(plain.filter(one => one.name === 'static').map(one => one.specifier)),
    aliases: new Map(all.filter(one => !one.wildcard).map(one => [one.local, { file }])),
  };
}

function ofUsings(usings: Project['usings']): GlobalUsings {
  const plain = usings.filter(one => one.alias === '');
  return {
    namespaces: new Set(plain.filter(one => !one.isStatic).map(one => tailOf(one.path))),
    types: new Set(plain.filter(one => one.isStatic).map(one => one.path)),
    aliases: new Map(usings.filter(one => one.alias !== '').map(one => [one.alias, { type: one.path }])),
  };
}

function joined(many: readonly GlobalUsings[]): GlobalUsings {
  return {
    namespaces: new Set(many.flatMap(one => [...one.namespaces])),
    types: new Set(many.flatMap(one => [...one.types])),
    aliases: new Map(many.flatMap(one => [...one.aliases])),
  };
}
