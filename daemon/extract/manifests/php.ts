import { type Content, said } from './values.ts';

/**
 * What code of PHP loads in ways that are no use of a class: `loadedClasses`, those that it has in a text, with their
 * namespaces, before a method or alone (`'App\\Work'`, `'App\Work@run'`); `loadedNamespaces` of which it puts names together; and `loadedFolders` that it looks
 * through. `runs` where WordPress starts the file. Undefined of code that has nothing of that.
 */
export function phpLoads(source: string): Content | undefined {
  const classes = source.matchAll(
    /(["'])\\{0,2}((?:[A-Z]\w{0,100}\\{1,2}){1,20}[A-Z]\w{0,200})(?:(?:@|::)\w{1,200})?\1/g,
  );
  const namespaces = source.matchAll(/["']\\{0,2}((?:[A-Z]\w{0,100}\\{1,2}){1,20})(?:["']|\{?\$)/g);
  const found = said({
    loadedClasses: sorted([...[...classes].map(([, , name]) => name!), ...classesInTemplate(source)].map(plain)),
    loadedNamespaces: sorted([...namespaces].map(([, name]) => plain(name!))),
    loadedFolders: sorted(foldersIn(source)),
    runs: /^[ \t*/#]*(?:Plugin|Theme) Name:/m.test(source.slice(0, 8_000)) ? true : undefined,
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Of a page with code of its own kind in it, as Blade's are, each class that it names in full. */
function classesInTemplate(source: string): readonly string[] {
  if (/^(?:#![^\n]*\n)?\s*<\?/.test(source)) return [];
  return [...source.matchAll(/(?<![\w\\])\\?((?:[A-Z]\w{0,100}\\){1,20}[A-Z]\w{0,200})/g)].map(([, name]) => name!);
}

/** Folders and patterns from the file's own folder, or (with a slash) from where a framework has its program. */
function foldersIn(source: string): readonly string[] {
  if (rewriting.test(source)) return [];
  const own = [...source.matchAll(/\b__DIR__\s*\.\s*(["'])\/([^"'\n$]{1,300})\1/g)].map(([, , path]) => `./${path}`);
  const listed =
    /\b(?:in|glob|scandir|opendir|DirectoryIterator|load)\(\s*__DIR__\s*[,)]|\b__NAMESPACE__\s*\.\s*["']\\/.test(
      source,
    );
  const ofProgram = [
    ...source.matchAll(/\b(app|base|database|config|resource)_path\(\s*(["'])([^"'\n$]{1,300})\2/g),
  ].map(([, root, , path]) => `/${root === 'base' ? '' : `${root === 'resource' ? 'resources' : root}/`}${path}`);
  const isFolder = (path: string): boolean => path.includes('*') || !/\.\w+$/.test(path);
  return [...own.filter(isFolder), ...(listed ? ['./*.php'] : []), ...ofProgram.filter(isFolder)];
}

/** Settings of what formats and rewrites code, which loads none of it. */
const rewriting = /\b(?:PhpCsFixer\\|RectorConfig\b|ECSConfig\b|EasyCodingStandard\\)/;

function plain(name: string): string {
  return name.replace(/\\{1,2}/g, '\\');
}

const mostNames = 1_000;

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort().slice(0, mostNames);
}
