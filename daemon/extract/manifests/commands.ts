import { type Reading, said } from './values.ts';

/**
 * Files with commands in them (Dockerfile, Makefile, scripts of shells, workflows, Procfile): `names` has under `commands` the paths of scripts
 * that those run, as written, and of modules that `python -m` runs. `buildsLibrary`
 * of a Makefile that has a library of C as a target, or its name in a variable.
 */
export function readCommands(source: string): Reading {
  const found = new Set<string>();
  for (const whole of source.slice(0, longest).split('\n')) {
    const line = whole.slice(0, longestLine);
    if (/^\s*(?:#|COPY\b|ADD\b)/.test(line) || !mayRun(line)) continue;
    for (const path of scriptsOf(line)) if (found.size < mostPaths) found.add(path);
  }
  const buildsLibrary = library.test(source.slice(0, longest)) || undefined;
  return { scope: '', content: {}, project: said({ names: said({ commands: [...found].sort() }), buildsLibrary }) };
}

/** `lib….a` before a colon, or all that a variable is set to, also with its ending in another variable: `STLIBNAME=$(LIBNAME).$(STLIBSUFFIX)`. */
const library =
  /^(?:[\w$(){}./-]{0,200}\blib[\w$(){}+-]{1,100}\.(?:a|so|dylib)[\w$(){}.]{0,100}[ \t]*:(?!=)|\w{1,100}[ \t]*[:?]?=[ \t]*lib[\w$(){}+-]{1,100}\.(?:a|so|dylib)[ \t]*$|\w*LIBNAME[ \t]*[:?]?=[ \t]*\$[({]\w*LIBNAME[)}]\.)/m;

const longest = 1_000_000;
const longestLine = 4_000;
const mostPaths = 2_000;

/** A path alone, in a list or under a key, is one that is watched, kept or left out, unless the key says that it is run. */
function mayRun(line: string): boolean {
  const value = /^\s*(?:-\s+)?(?:([\w.-]{1,80}):\s+)?(?:-\s+)?["']?([^\s"']+)["']?\s*$/.exec(line);
  if (value === null) return true;
  const [, key = '', path = ''] = value;
  return /^(?:run|script|main|pre|post|entrypoint|command|cmd)$/.test(key) || path.startsWith('./');
}

function* scriptsOf(line: string): Iterable<string> {
  for (const [, module] of line.matchAll(/\bpython[\d.]*(?:\s+-[A-Zbduv]\w*)*\s+-m\s+([A-Za-z_][\w.]*)/g))
    yield `${module!.replaceAll('.', '/')}.py`;
  for (const [, path] of line.matchAll(
    /(?:^|[\s"'`[(=,])((?:\$\{?\w+\}?\/)?[\w@.][\w@./-]*\.(?:[cm]?[jt]sx?|py|rb|php|dart))(?=$|[\s"'`\]),;&|):])/g,
  ))
    yield path!.replace(/^\$\{?\w+\}?\//, '');
  // Interpreters find their own extensions: `node src/cli`.
  for (const [, path] of line.matchAll(
    /\b(?:node|tsx|ts-node|bun)["',\s]+((?:\.{1,2}\/)?[\w@-]+(?:\/[\w@-]+)+)(?=$|[\s"'`\]])/g,
  ))
    yield path!;
}
