import { jsonc, object, type Reading, said, texts } from './values.ts';

/**
 * Settings of tools for JavaScript and Python that are no code (JSON, TOML, YAML), whatever their keys: `names` has under
 * `paths` the files of code that they name, and under `handler` the modules of functions that a cloud is to call, from the
 * folders that they say these are in; `loadedFolders` those of which each file is such a function, `patterns` what fits what they begin
 * with.
 */
export function readSettings(source: string): Reading {
  const text = source.slice(0, longest).replace(/(?<!\S)(?:#|\/\/).*$/gm, '');
  const paths = [
    ...text.matchAll(
      /(?<![\w@./*${}-])((?:\.{0,2}\/)?[\w@.[\]()-]{1,200}(?:\/[\w@.[\]()-]{1,200}){0,20}\.(?:[cm]?[jt]sx?|py))(?![\w*-])/g,
    ),
  ];
  const folders = [...text.matchAll(/\b(?:CodeUri|codeUri|rootdir|servicePath)["']?\s*[:=]\s*["']?([\w./-]{1,300})/g)];
  const handlers = [...text.matchAll(/\b[Hh]andler["']?\s*[:=]\s*["']?([\w./-]{1,300})\.\w{1,100}/g)];
  const modules = handlers.flatMap(([, handler]) =>
    ['', ...folders.map(([, folder]) => `${folder!.replace(/\/$/, '')}/`)].flatMap(folder => [
      `${folder}${handler!}`,
      `${folder}${handler!.replaceAll('.', '/')}.py`,
    ]),
  );
  const functions = [...text.matchAll(/^\s*(?:functions|directory)\s*=\s*["']([\w./-]{1,300})["']/gm)];
  return {
    scope: '',
    content: {},
    project: said({
      names: said({ paths: sorted(paths.map(([, path]) => path!)), handler: sorted(modules) }),
      loadedFolders: sorted(functions.map(([, folder]) => folder!)),
      patterns: patternsIn(text),
    }),
  };
}

const longest = 500_000;
const mostPaths = 1_000;

function sorted(written: readonly string[]): readonly string[] {
  return [...new Set(written)].sort().slice(0, mostPaths);
}

/** What JSON has as a pattern below `entry` and its like, and as the key of a function. */
function patternsIn(text: string): readonly string[] {
  if (!/^\s*\{/.test(text)) return [];
  const found = new Set<string>();
  const waiting: { readonly value: unknown; readonly isEntry: boolean; readonly depth: number }[] = [
    { value: jsonc(text), isEntry: false, depth: 0 },
  ];
  for (let at = waiting.pop(); at !== undefined && found.size < mostPaths; at = waiting.pop()) {
    const { value, isEntry, depth } = at;
    if (isEntry)
      for (const one of [...texts(value), ...Object.keys(object(value))])
        if (one.includes('*')) found.add(one.replace(/!$/, ''));
    if (typeof value !== 'object' || value === null || depth >= 8) continue;
    for (const [key, inner] of Object.entries(value))
      waiting.push({
        value: inner,
        isEntry: /^(?:entr(?:y|ies|yPoints?)|entrypoints|functions|spec|require)$/.test(key),
        depth: depth + 1,
      });
  }
  return [...found].sort();
}
