import { directoryOf, join } from '../../model/paths.ts';
import type { Places } from '../resolver.ts';
import { moduleFile } from './module-file.ts';
import { configurationsIn, pathSaid, settingOf } from './tsconfig.ts';

/** A source file, and how sure it is that it is the one, where nothing says so. */
export interface Source {
  readonly path: string;
  readonly confidence?: number;
}

/** As sure as a custom is: whoever asks takes a name from the file besides, and finds it there. */
export const byCustom = 0.9;

/** The file itself, or where a build has yet to write it the source that it is made of: of `dist/a.js`, `src/a.ts`. */
export function fileOrSource(ask: Places, path: string): Source | undefined {
  const written = withoutDeclaration(path);
  const itself = moduleFile(ask, written);
  return itself === undefined ? sourceOfOutput(ask, written) : { path: itself };
}

/** The source of a file that a build writes: as the compiler's configuration says, else as is the custom. */
export function sourceOfOutput(ask: Places, path: string): Source | undefined {
  const written = withoutDeclaration(path);
  const compiled = compiledFrom(ask, written);
  if (compiled !== undefined) return { path: compiled };
  const customary = customarySource(ask, written);
  return customary === undefined ? undefined : { path: customary, confidence: byCustom };
}

/** What the nearest tsconfig writes there (`outDir`, `declarationDir`), of those that lie above or are referred to by one. */
export function compiledFrom(ask: Places, path: string): string | undefined {
  for (let at = directoryOf(path); ; at = directoryOf(at)) {
    for (const configuration of configurationsIn(ask, at)) {
      const found = compiledBy(ask, configuration, withoutDeclaration(path));
      if (found !== undefined) return found;
    }
    if (at === '') return undefined;
  }
}

function compiledBy(ask: Places, configuration: string, path: string): string | undefined {
  for (const key of ['outDir', 'declarationDir']) {
    const folder = folderSetting(ask, configuration, key);
    if (folder === undefined || !`${path}/`.startsWith(`${folder}/`)) continue;
    for (const root of rootsOf(ask, configuration)) {
      const source = join(root, path.slice(folder.length));
      const found = source === undefined ? undefined : moduleFile(ask, source);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Where what is compiled may begin: `rootDir`, or the folder that all inputs share, which what is included tells about. */
function rootsOf(ask: Places, configuration: string): readonly string[] {
  const rootDir = folderSetting(ask, configuration, 'rootDir');
  if (rootDir !== undefined) return [rootDir];
  const directory = directoryOf(configuration);
  const included = settingOf(ask, configuration, 'include') ?? settingOf(ask, configuration, 'files');
  const patterns = Array.isArray(included?.value) ? included.value.map(String) : [];
  const folders = patterns.flatMap(pattern => join(included!.directory, fixedPart(pattern)) ?? []);
  return [...new Set([sharedFolder(folders) ?? directory, directory, join(directory, 'src')!])];
}

/** The folder of a pattern of `include`: `src/**\/*` is about `src`, `src/a.ts` as well. */
function fixedPart(pattern: string): string {
  const star = pattern.search(/[*?]/);
  const fixed = star < 0 ? pattern : pattern.slice(0, star);
  return star < 0 && !/\.[cm]?[jt]sx?$/.test(fixed) ? fixed : directoryOf(fixed);
}

function sharedFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map(one => one.split('/'));
  if (first === undefined) return undefined;
  const length = first.findIndex((segment, index) => others.some(one => one[index] !== segment));
  return (length < 0 ? first : first.slice(0, length)).join('/');
}

function folderSetting(ask: Places, configuration: string, key: string): string | undefined {
  const setting = settingOf(ask, configuration, key);
  return typeof setting?.value === 'string' ? pathSaid(setting.value, setting.directory, configuration) : undefined;
}

const outputFolders = /^(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs|src|types))?\//;

/** In the folder of a package `dist/a.js` is made of `src/a`, or of `a`, whatever the build is. */
function customarySource(ask: Places, path: string): string | undefined {
  for (let at = directoryOf(path); ; at = directoryOf(at)) {
    const folder = at === '' ? '' : `${at}/`;
    const inside = path.slice(folder.length);
    const output = outputFolders.exec(`${inside}/`)?.[0];
    if (output !== undefined && ask.exists(`${folder}package.json`)) {
      const rest = inside.slice(output.length);
      // Bundlers write `a.mjs` of `a.ts`.
      const stem = rest.replace(/\.[cm]js$/, '');
      for (const name of rest === stem ? [rest] : [rest, stem]) {
        const found = moduleFile(ask, join(at, `src/${name}`)!) ?? moduleFile(ask, join(at, name)!);
        if (found !== undefined) return found;
      }
    }
    if (at === '') return undefined;
  }
}

function withoutDeclaration(path: string): string {
  return path.replace(/\.d\.([cm]?)ts$/, '.$1js');
}
