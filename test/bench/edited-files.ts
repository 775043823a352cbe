import { execFileSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { randomFrom } from '../support/synthetic.ts';

/** A new function in the language of a file. */
const functions: Readonly<Record<string, (name: string) => string>> = {
  '.ts': name => `\nexport function ${name}() {\n  return 1;\n}\n`,
  '.tsx': name => `\nexport function ${name}() {\n  return 1;\n}\n`,
  '.py': name => `\n\ndef ${name}():\n    return 1\n`,
  '.go': name => `\nfunc ${name}() int { return 1 }\n`,
};

/** Text that adds a function to a file that `someFiles` drew. */
export function functionFor(path: string, name: string): string {
  return functions[extname(path)]!(name);
}

/** Different files of a checkout that a function can be added to, drawn at random but the same in each run. */
export function someFiles(root: string, count: number): readonly string[] {
  const all = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter(path => Object.hasOwn(functions, extname(path)) && !path.endsWith('.d.ts'))
    // Broken on purpose, many of them: what is appended to such a file may be no definition.
    .filter(path => !path.includes('/fixtures/'));
  const random = randomFrom(3);
  const drawn = all.map(path => ({ path, at: random() })).sort((a, b) => a.at - b.at);
  if (drawn.length < count) throw new Error(`${count} files are to be edited and there are ${drawn.length}`);
  return drawn.slice(0, count).map(({ path }) => join(root, path));
}
