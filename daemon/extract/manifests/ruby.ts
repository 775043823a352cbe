import { type Content, maxItems, said } from './values.ts';

/** What a gemspec says in literals: the gem's name, its commands, and the folder that they lie in. */
export function gemProject(source: string): Content {
  const code = source.replace(/^[ \t]*#.*$/gm, '');
  const values = [...code.matchAll(/\.(name|bindir)\s*=\s*["']([^"'#\n]{1,200})["']/g)];
  const written = (attribute: string): string | undefined => values.find(([, one]) => one === attribute)?.[2];
  return said({ gem: written('name'), folder: written('bindir'), commands: commandsOf(code) });
}

function commandsOf(code: string): readonly string[] {
  const written = [...code.matchAll(/\.executables\s*(?:=|<<|\+=)\s*([^\n]{1,2000})/g)].map(([, list]) => list!);
  const words = written.flatMap(list => /^%[wi][[({<]([^\])}>]*)/.exec(list)?.[1]?.split(/\s+/) ?? []);
  const texts = written.flatMap(list => (list.startsWith('%') ? [] : literals(list)));
  return [...new Set([...words, ...texts])].filter(one => /^[\w.-]{1,100}$/.test(one)).slice(0, maxItems);
}

/** Those of a list of literals, and of nothing that is computed: `` `git ls-files`.split("\n") `` names none. */
function literals(list: string): readonly string[] {
  const items = /^\[((?:\s*["'][^"']*["']\s*,?)*)\s*\]/.exec(list)?.[1] ?? /^["'][^"']*["']/.exec(list)?.[0] ?? '';
  return [...items.matchAll(/["']([^"']*)["']/g)].map(([, one]) => one!);
}
