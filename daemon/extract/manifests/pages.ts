import { jsonc, object, type Reading, said } from './values.ts';

/** A page of HTML: `names` has the code that its scripts are, and that scripts written in it import. */
export function readPage(source: string): Reading {
  const page = source.slice(0, longest).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const sources = new Set<string>();
  const imports = new Set<string>();
  for (const [, attributes, inside] of page.matchAll(/<script\b([^<>]{0,2000})>([\s\S]*?)(?:<\/script|$)/gi)) {
    const [, , path] = /\bsrc\s*=\s*(["']?)([^"'\s>]{1,500})\1/i.exec(attributes!) ?? [];
    if (path !== undefined) sources.add(path);
    else if (/\btype\s*=\s*["']?module/i.test(attributes!)) {
      for (const [, , one] of inside!.matchAll(
        /\b(?:from|import)\s{0,20}\(?\s{0,20}(["'])(\.{0,2}\/[^"'\n]{1,500})\1/g,
      ))
        imports.add(one!);
    }
  }
  const names = said({ script: ownPaths(sources), import: ownPaths(imports) });
  // Classes that Thymeleaf calls.
  const classes = [...page.matchAll(/\bT\(\s{0,20}((?:\w{1,100}\.){1,20}\w{1,200})\s{0,20}\)/g)];
  const loadedClasses = [...new Set(classes.map(([, name]) => name!))].sort();
  return { scope: '', content: {}, project: said({ names, loadedClasses }) };
}

const longest = 1_000_000;
const mostPaths = 1_000;

/** Without what lies elsewhere, and without what is asked for behind `?`. */
function ownPaths(written: ReadonlySet<string>): readonly string[] {
  const own = [...written].filter(path => !/^(?:[a-z][\w+.-]*:|\/\/)/i.test(path) && !/[{}<$]/.test(path));
  return [...new Set(own.map(path => path.replace(/[?#].*$/, '')))].sort().slice(0, mostPaths);
}

/** `manifest.json` of a browser's extension: `names` has the code that it names anywhere; of others nothing. */
export function readExtension(source: string): Reading {
  const file = object(jsonc(source));
  if (typeof file['manifest_version'] !== 'number') return { scope: '', content: {} };
  const paths = new Set<string>();
  for (const [, path] of source.matchAll(/"([\w@./-]{1,500}\.[cm]?[jt]sx?)"/g)) paths.add(path!);
  return { scope: '', content: {}, project: said({ names: said({ extension: ownPaths(paths) }) }) };
}
