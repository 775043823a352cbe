import { type Content, jsonc, maxItems, object, type Reading, said, text, texts } from './values.ts';

/** composer.json: the packages that it requires. Of the project: its name and type, its commands, where its classes lie (prefix → folders), files that it always loads, and packages beside it. */
export function readComposer(source: string): Reading {
  const file = object(jsonc(source));
  const [own, ofTests] = [object(file['autoload']), object(file['autoload-dev'])];
  const repositories = Object.values(object(file['repositories'] ?? {})).concat(
    Array.isArray(file['repositories']) ? file['repositories'] : [],
  );
  const project = said({
    name: text(file['name']),
    type: text(file['type']),
    bin: texts(file['bin'] ?? []),
    roots: rootsOf(own),
    testRoots: rootsOf(ofTests),
    files: texts(own['files'] ?? []),
    packages: repositories.map(object).flatMap(one => (one['type'] === 'path' ? texts(one['url']) : [])),
  });
  const requires = [...Object.keys(object(file['require'])), ...Object.keys(object(file['require-dev']))];
  const packages = [...new Set(requires.filter(one => one.includes('/')))].sort();
  return { scope: '', content: said({ requires: packages }), project };
}

/** composer.lock: namespaces, and the package that loads what is in each. */
export function readComposerLock(source: string): Reading {
  const file = object(jsonc(source));
  const packages = ['packages', 'packages-dev'].flatMap(key => [file[key] ?? []].flat()).slice(0, maxItems);
  const prefixes = packages.map(object).flatMap(one => {
    const name = text(one['name']);
    const roots = Object.keys(rootsOf(object(one['autoload'])));
    return name === undefined ? [] : roots.map(prefix => [prefix.replace(/[\\_]+$/, ''), name] as const);
  });
  return { scope: '', content: said({ prefixes: Object.fromEntries(prefixes.filter(([prefix]) => prefix !== '')) }) };
}

function rootsOf(autoload: Content): Content {
  const entries = ['psr-4', 'psr-0'].flatMap(standard => Object.entries(object(autoload[standard])));
  return Object.fromEntries(entries.map(([prefix, folders]) => [prefix, texts(folders)]));
}
