import { isCode } from '../../model/families.ts';
import { namedTargets } from '../../model/package-exports.ts';
import { baseName, join } from '../../model/paths.ts';
import { record, said, text, textEntries, texts } from './content.ts';
import { codeIn, type EntryContext, type Found, stemOf } from './entry-context.ts';
import { frameworkEntries } from './npm-frameworks.ts';
import type { Package } from './packages.ts';

/**
 * What a package of npm offers and starts: `exports`, `main` and their like, `bin`, files that scripts run, targets of Nx
 * and Angular, frameworks' routes, and by convention `index`, `main` and `cli` at its root and in `src`; `app` and `server`
 * there where it offers nothing. Of built output the source.
 */
export function* npmEntries(context: EntryContext, one: Package): Iterable<Found> {
  const { directory } = one;
  const content = context.configuration(one.manifest) ?? {};
  const name = one.name ?? (directory === '' ? 'package' : baseName(directory));
  const offered = [...offeredBy(context, directory, content, name)];
  yield* offered;
  for (const [command, target] of textEntries(said(content, 'bin'))) {
    const path = sourceIn(context, directory, target);
    if (path !== undefined) yield { path, name: command, kind: 'cli', because: `package.json bin.${command}` };
  }
  const scripts = textEntries(said(content, 'scripts'));
  yield* scripted(context, directory, scripts);
  yield* projectTargets(context, one);
  yield* frameworkEntries(
    context,
    directory,
    new Set(texts(said(content, 'requires') ?? [])),
    scripts.map(([, command]) => command),
  );
  yield* conventional(context, directory, name, offered.length > 0);
}

function* offeredBy(
  context: EntryContext,
  directory: string,
  content: Readonly<Record<string, unknown>>,
  name: string,
): Iterable<Found> {
  for (const { subpath, target } of exportsOf(content['exports'])) {
    const because = `package.json exports${subpath === '.' ? '' : ` ${subpath}`}`;
    for (const { path, star } of sourcesFitting(context, directory, target)) {
      const key = subpath.replace('*', () => star);
      const filledIn = target.replaceAll('*', () => star);
      // Another pattern may say more of it: that it is withheld, or another file's.
      if (target.includes('*') && namedTargets(content['exports'], key)?.includes(filledIn) !== true) continue;
      const inside = key.replace(/^\.\/?/, '');
      yield { path, name: inside === '' ? name : `${name}/${inside}`, kind: 'library', because };
    }
  }
  for (const key of ['source', 'main', 'module', 'types', 'typings', 'browser']) {
    const target = text(content[key]) ?? text(said(content, key));
    const path = target === undefined ? undefined : sourceIn(context, directory, target);
    if (path !== undefined) yield { path, name, kind: 'library', because: `package.json ${key}` };
  }
}

interface Exported {
  readonly subpath: string;
  readonly target: string;
}

/** Each file that `exports` names, under the first subpath that does, whatever the condition. */
function exportsOf(field: unknown): readonly Exported[] {
  const found = new Map<string, Exported>();
  const waiting: { readonly value: unknown; readonly subpath: string; readonly depth: number }[] = [
    { value: field, subpath: '.', depth: 0 },
  ];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { value, subpath, depth } = at;
    if (typeof value === 'string') {
      if (!found.has(value)) found.set(value, { subpath, target: value });
    } else if (typeof value === 'object' && value !== null && depth < 8) {
      const entries = Object.entries(value).reverse();
      for (const [key, inner] of entries) {
        waiting.push({ value: inner, subpath: depth === 0 && key.startsWith('.') ? key : subpath, depth: depth + 1 });
      }
    }
  }
  return [...found.values()];
}

function sourceIn({ sourceAt, tree }: EntryContext, directory: string, target: string): string | undefined {
  const path = join(directory, target);
  if (path === undefined) return undefined;
  const found = tree.has(path) ? path : sourceAt(path);
  return found !== undefined && isCode(tree.file(found)?.language ?? '') ? found : undefined;
}

const built = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\/(?:(?:esm|cjs|src|types)\/)?/;

/** Of a pattern (`./dist/features/*.js`) all that fits it, as it is or where its sources lie, and what the star stands for. */
function sourcesFitting(
  context: EntryContext,
  directory: string,
  target: string,
): readonly { readonly path: string; readonly star: string }[] {
  if (!target.includes('*')) return texts(sourceIn(context, directory, target)).map(path => ({ path, star: '' }));
  const stem = withoutExtension(target);
  for (const pattern of new Set([stem, stem.replace(built, './src/'), stem.replace(built, './')])) {
    const [before = '', after = ''] = pattern.split('*');
    const slash = before.lastIndexOf('/');
    const folder = join(directory, before.slice(0, slash + 1));
    if (folder === undefined) continue;
    const start = `${folder === '' ? '' : `${folder}/`}${before.slice(slash + 1)}`;
    const fitting = [...context.tree.below(folder)].flatMap(({ path, language, isTest }) => {
      const whole = withoutExtension(path);
      const fits = isCode(language) && !isTest && path.startsWith(start) && whole.endsWith(after);
      return fits ? { path, star: whole.slice(start.length, whole.length - after.length) } : [];
    });
    if (fitting.length > 0) return fitting.slice(0, mostOfPattern);
  }
  return [];
}

/** A star of `exports` stands for any path: of a package with more files behind it no more than so many count. */
const mostOfPattern = 2_000;

function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}

/** Files that a package's scripts run: arguments that are paths of code. */
function* scripted(
  context: EntryContext,
  directory: string,
  scripts: readonly (readonly [string, string])[],
): Iterable<Found> {
  for (const [script, command] of scripts) {
    for (const [word] of command.slice(0, 4_000).matchAll(/[^\s"'=&|;()<>]+/g)) {
      const path = namedBy(context, directory, word);
      if (path === undefined || context.tree.file(path)!.isTest) continue;
      const kind = /^(?:start|serve|dev)(?::|$)/.test(script) ? 'server' : 'script';
      yield { path, name: script, kind, because: `package.json scripts.${script}` };
    }
  }
}

/** A word of a command that is a path: one with a slash or an extension of code, of a file, or of a folder that has an index. */
function namedBy(context: EntryContext, directory: string, word: string): string | undefined {
  if (word.startsWith('-') || word.includes('*') || !(word.includes('/') || /\.[cm]?[jt]sx?$/.test(word)))
    return undefined;
  return sourceIn(context, directory, word);
}

function* projectTargets(context: EntryContext, one: Package): Iterable<Found> {
  for (const file of ['project.json', 'angular.json']) {
    const path = one.directory === '' ? file : `${one.directory}/${file}`;
    const projects = said(context.configuration(path), 'projects');
    for (const project of (Array.isArray(projects) ? projects : []).map(record)) {
      const name = text(project['name']) ?? baseName(one.directory);
      for (const main of texts(project['mains'] ?? [])) {
        // Nx writes paths from the repository's root.
        const source = sourceIn(context, '', main) ?? sourceIn(context, one.directory, main);
        const kind = project['kind'] === 'library' ? 'library' : 'main';
        if (source !== undefined) yield { path: source, name, kind, because: `${file} main` };
      }
    }
  }
}

const kindByName: Readonly<Record<string, Found['kind']>> = {
  index: 'library',
  main: 'main',
  cli: 'cli',
  app: 'server',
  server: 'server',
};

function* conventional(
  { tree }: EntryContext,
  directory: string,
  name: string,
  offersSomething: boolean,
): Iterable<Found> {
  for (const folder of [directory, directory === '' ? 'src' : `${directory}/src`]) {
    for (const path of codeIn(tree, folder)) {
      const [, stem, extension] = /^([\w-]+)\.([cm]?[jt]sx?)$/.exec(baseName(path)) ?? [];
      const kind = stem !== undefined && Object.hasOwn(kindByName, stem) ? kindByName[stem] : undefined;
      if (kind === undefined || (kind === 'server' && offersSomething)) continue;
      yield { path, name: kind === 'library' ? name : stemOf(path), kind, because: `${stem}.${extension} convention` };
    }
  }
}
