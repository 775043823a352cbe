import { type Content, said } from './values.ts';

/**
 * What JavaScript or TypeScript loads in ways that are no import of a file: `globs`, the patterns of each place that loads what
 * fits them, those with `!` left out; and `loads`, files that are named by their paths. Both are relative to the file, to its
 * package or to where the program is started; a pattern that begins with a slash is the package's.
 */
export function loadedPaths(source: string): Content {
  if (!anything.test(source)) return {};
  const text = withJoinedPaths(source);
  return said({
    globs: [
      ...globsOfVite(text),
      ...[...computedImports(text), ...computedUrls(text)].map(patternsOf).filter(patterns => patterns.length > 0),
      ...contexts(text),
      ...listed(text),
      ...written(text),
    ].slice(0, mostCalls),
    loads: [...new Set([...joinedIn(text, source), ...started(text), ...routed(text)])].sort().slice(0, mostCalls),
  });
}

/** Most files have nothing of all that, which one look tells. */
const anything =
  /\bimport\.meta\b|\b(?:import|require)\s*\(\s*[^"'\s]|["']\s*\+|\.context\(|__dirname|\b(?:Worker|fork|importScripts|addModule|register)\(|\b(?:entities|entitiesTs|migrations|subscribers|seeds|factories|models)["']?\s*:|`[^`]{0,2000}\bfrom\s+["']|\/routes["']|route-config|virtual-file-routes/;

/**
 * A text in which literals stand for paths that are put together of literals: `path.join(__dirname, 'a', 'b.ts')`,
 * `__dirname + '/a'`, `${__dirname}/a`. They begin with `./`.
 */
export function withJoinedPaths(source: string): string {
  if (!/\b(?:__dirname|dirname|resolve|join)\b/.test(source)) return source;
  return source
    .replace(
      joined,
      (_, written: string) =>
        `'./${textsIn(written)
          .join('/')
          .replace(/^[./]+(?=\w|\.\w)/, '')}'`,
    )
    .replace(/\b__dirname\s*\+\s*(["'`])\/?/g, '$1./')
    .replace(/`\$\{(?:__dirname|import\.meta\.dirname)\}\//g, '`./');
}

const joined =
  /\b(?:path\.)?(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))\s*,\s*((?:(?:"[^"\n]{1,300}"|'[^'\n]{1,300}'|`[^`$\n]{1,300}`)\s*(?:,\s*)?){1,8})\)/g;

/** The literals of a text that fill nothing in. */
export function textsIn(written: string): readonly string[] {
  return [...written.matchAll(/(["'`])([^"'`\n$]{1,500})\1/g)].map(([, , one]) => one!);
}

const mostCalls = 200;

/** The patterns of each call that are literals. */
function globsOfVite(text: string): readonly (readonly string[])[] {
  const calls = text.matchAll(
    /\bimport\.meta\.glob(?:Eager)?\s*(?:<[^()]{0,200}>)?\(\s*(\[[^\]]{0,4000}|["'`][^"'`\n]{1,500}["'`])/g,
  );
  return [...calls].map(([, written]) => textsIn(written!)).filter(patterns => patterns.length > 0);
}

/** The paths, with holes, of `import('./a/' + b)`, and the same by `require`, with a template or a path that is joined of parts. */
function computedImports(text: string): readonly string[] {
  const templates = text.matchAll(
    /\b(?:import|require)\s*\(\s*(?:\/\*[^*]{0,300}\*\/\s*)*(?:`([^`\n]{1,300})`|(["'])([^"'\n]{1,300})\2\s*\+)/g,
  );
  const parts = text.matchAll(
    /\b(?:import|require)\s*\(\s*(?:path\.)?(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*((?:,\s*(?:"[^"\n]{1,300}"|'[^'\n]{1,300}')\s*){0,8}),/g,
  );
  const written = [
    ...[...templates].map(([, template, , start]) => template ?? `${start}\${}`),
    ...[...parts].map(([, folders]) => `./${textsIn(folders!).join('/')}/\${}`.replace(/\/\.?\//g, '/')),
  ];
  return written.filter(one => one.includes('${'));
}

/** Those of modules that are named as ``new URL(`./${name}.js`, import.meta.url)`` for a thread or a loader to take. */
function computedUrls(text: string): readonly string[] {
  const calls = text.matchAll(/\bnew\s+URL\(\s*`(\.{1,2}\/[^`\n]{0,300}\.[cm]?[jt]sx?)`\s*,\s*import\.meta\.url/g);
  return [...calls].map(([, template]) => template!).filter(one => one.includes('${'));
}

/** Of a path with holes. What a hole stands for has no slash in it, unless it is the last part. Nothing where the path begins with a hole. */
function patternsOf(template: string): readonly string[] {
  const [start = '', ...rest] = template.split(/\$\{[^}]*\}/);
  const own = ownStart(start);
  if (own === undefined) return [];
  const pattern = [own, ...rest].join('*');
  if (/\.[cm]?[jt]sx?$/.test(pattern)) return sourcesOf(pattern);
  const below = pattern.endsWith('/*') ? [`${pattern.slice(0, -1)}**`] : [];
  return [`${pattern}.*`, `${pattern}/index.*`, ...below];
}

/** Where a path begins that is the repository's: an alias of a package may stand for any of its folders. */
function ownStart(start: string): string | undefined {
  if (/^\.{1,2}\//.test(start)) return start;
  return /^(?:[@~#]|src)\/./.test(start) ? start.replace(/^[^/]*\//, '/**/') : undefined;
}

/** `require.context('./a', true, /…/)`: all that lies below. */
function contexts(text: string): readonly (readonly string[])[] {
  const calls = text.matchAll(/\brequire\b[^\n(]{0,20}\.context\(\s*(["'`])(\.{1,2}\/[^"'`\n$]{0,300})\1/g);
  return [...calls].map(([, , folder]) => [`${folder!.replace(/\/$/, '')}/**`]);
}

/** Lists of files by which frameworks for databases are told what to load; and what is listed by code that loads by names that it computes. */
function listed(text: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  const lists = text.matchAll(
    /\b(?:entities(?:Ts)?|migrations|subscribers|seeds|factories|models)["']?\s*:\s*\[([^\]]{0,4000})/g,
  );
  for (const [, list] of lists) found.push(textsIn(list!).flatMap(sourcesOf));
  if (/\b(?:import|require)\s*\(\s*[^"'`)\s]/.test(text)) {
    const calls = text.matchAll(
      /\b(?:readdir(?:Sync)?|(?:fast)?[Gg]lob(?:Sync|by)?|fg)(?:\.sync)?\(\s*(?:(__dirname|import\.meta\.dirname)|(["'`])([^"'`\n$]{1,300})\2)/g,
    );
    for (const [, isHere, , path] of calls) found.push(isHere !== undefined ? ['./*'] : [...sourcesOf(path!)]);
  }
  return found.filter(patterns => patterns.length > 0);
}

/** Patterns and folders, and where they are of what a build writes, the sources of that. */
function sourcesOf(path: string): readonly string[] {
  const pattern = /\*|\.[cm]?[jt]sx?$/.test(path) ? path : `${path.replace(/\/$/, '')}/**`;
  const source = pattern.replace(/^(\.\/)?(?:dist|build|lib|out)\//, '$1src/').replace(/\.([cm]?)js$/, '.$1ts');
  return [...new Set([pattern, source, pattern.replace(/\.([cm]?)js$/, '.$1ts')])].flatMap(one =>
    /^\.{0,2}\//.test(one) ? [one] : [one, `/${one}`],
  );
}

/** Modules that code imports which is written by this one: of texts that go over lines. Where it will lie is not known. */
function written(text: string): readonly (readonly string[])[] {
  const texts = [...text.matchAll(/`[^`]{0,20000}`/g)].map(([whole]) => whole).filter(one => one.includes('\n'));
  const modules = texts.flatMap(one => [...one.matchAll(/\bfrom\s+["']((?:\.{1,2}|[@~#])\/[\w@./-]{1,300})["']/g)]);
  return modules.map(([, module]) => {
    const place = `/**/${module!.replace(/^(?:[@~#]|\.{1,2})\/(?:\.{1,2}\/)*/, '').replace(/\.[cm]?[jt]sx?$/, '')}`;
    return [`${place}.*`, `${place}/index.*`];
  });
}

/** Files of code whose paths are put together of literals, whoever wants them: what is written as one literal is no such. */
function joinedIn(text: string, source: string): readonly string[] {
  if (text === source) return [];
  return textsIn(text).filter(
    path => /^\.\/.+\.[cm]?[jt]sx?$/.test(path) && !/["'`]/.test(source[source.indexOf(path) - 1] ?? ''),
  );
}

/** What is given to whatever starts another thread or process. */
function started(text: string): readonly string[] {
  const calls = text.matchAll(
    /\b(?:(?:Shared)?Worker|fork|importScripts|addModule|register)\(\s*(["'`])(\.{0,2}\/[^"'`\n$]{1,300}\.[cm]?[jt]sx?)\1/g,
  );
  return [...calls].map(([, , path]) => path!);
}

/** Modules of routes that a file lists for its framework. */
function routed(text: string): readonly string[] {
  const isListing =
    /["'](?:@react-router\/dev\/routes|@remix-run\/route-config|@tanstack\/virtual-file-routes)["']/.test(text);
  return isListing ? textsIn(text).filter(one => /^[\w.@()[\]$/-]+\.[cm]?[jt]sx?$/.test(one)) : [];
}
