import { type Content, jsonc, object, type Reading, said, text, texts } from './values.ts';

/** composer.json. Of the project: its name and type, its commands, where its classes lie (prefix → folders), files that it always loads, and packages beside it. */
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
  return { scope: '', content: {}, project };
}

function rootsOf(autoload: Content): Content {
  const entries = ['psr-4', 'psr-0'].flatMap(standard => Object.entries(object(autoload[standard])));
  return Object.fromEntries(entries.map(([prefix, folders]) => [prefix, texts(folders)]));
}
