import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOf } from '../../daemon/extract/dialect.ts';
import { extract } from '../../daemon/extract/syntax.ts';
import { packageRoot } from '../../daemon/package-root.ts';

/**
 * Recall of definitions against universal-ctags: the share of its tags (name and line) that extraction finds too.
 *
 *     node dist/test/bench/definitions-ctags.js <root> <language> [misses to list]
 */
const [root = packageRoot, language = 'java', misses = '0'] = process.argv.slice(2);

interface Tag {
  readonly _type: string;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly scopeKind?: string;
}

/** Tags that name no definition: references, locals, parameters, file scopes, and names that ctags makes up. */
const ignored = new Set([
  'package',
  'local',
  'parameter',
  'file',
  'unknown',
  'header',
  'label',
  'alias',
  'implementation',
  'using',
]);

const tagged = execFileSync(
  'ctags',
  ['--output-format=json', '--fields=+nKsZ', '--recurse', `--languages=${ctagsName(language)}`, '-f', '-', root],
  { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] },
)
  .split('\n')
  .filter(line => line.startsWith('{'))
  .map(line => JSON.parse(line) as Tag)
  .filter(tag => tag._type === 'tag' && !ignored.has(tag.kind) && !/^(?:__anon|anonymous|<)/.test(tag.name))
  .filter(tag => !isLocal(tag) && !(language === 'csharp' && tag.kind === 'typedef'));

/** ctags has no kind for a Kotlin local, but says in what it stands. */
function isLocal(tag: Tag): boolean {
  return /^(?:method|function)$/.test(tag.scopeKind ?? '') && /^(?:variable|constant)$/.test(tag.kind);
}

const byPath = new Map<string, Tag[]>();
for (const tag of tagged) byPath.set(tag.path, [...(byPath.get(tag.path) ?? []), tag]);

const missed: string[] = [];
const byKind = new Map<string, { found: number; all: number }>();
let definitions = 0;
for (const [path, tags] of byPath) {
  const bytes = readFileSync(join(path));
  const dialect = dialectOf(path);
  if (dialect === '' || bytes.length > 2 << 20) continue;
  const facts = await extract(bytes, dialect, { parseSteps: defaultParseSteps });
  definitions += facts.definitions.length;
  const found = new Set(facts.definitions.map(one => `${one.nameRange.startLine + 1} ${one.name}`));
  const near = (tag: Tag): boolean =>
    [0, -1, 1].some(
      shift =>
        found.has(`${tag.line + shift} ${tag.name.replace(/^operator /, 'operator').replace(/^.*(?:::|\\|\.)/, '')}`) ||
        found.has(`${tag.line + shift} ${tag.name}`),
    );
  const text = bytes.toString('utf8').split('\n');
  // ctags makes up names where it loses its way (Kotlin's quoted names): a tag counts if its line holds its name.
  const isLambdaParameter = (one: Tag): boolean =>
    language === 'kotlin' && one.kind === 'method' && !text[one.line - 1]?.includes('fun ');
  for (const tag of tags.filter(
    one => !isLambdaParameter(one) && text[one.line - 1]?.includes(one.name.replace(/^.*(?:::|\\|\.)/, '')),
  )) {
    const count = byKind.get(tag.kind) ?? { found: 0, all: 0 };
    count.all++;
    if (near(tag)) count.found++;
    else missed.push(`${path}:${tag.line} ${tag.kind} ${tag.name}`);
    byKind.set(tag.kind, count);
  }
}

const all = [...byKind.values()].reduce((sum, count) => sum + count.all, 0);
const lines = [
  `${language}: ${byPath.size} files, ${all} tags, ${definitions} definitions, recall ${((all - missed.length) / all).toFixed(4)}`,
  ...[...byKind].map(([kind, count]) => `  ${kind.padEnd(16)} ${count.found}/${count.all}`),
  ...missed.slice(0, Number(misses)),
];
process.stdout.write(`${lines.join('\n')}\n`);

function ctagsName(name: string): string {
  const names: Readonly<Record<string, string>> = { cpp: 'C++', csharp: 'C#', php: 'PHP', typescript: 'TypeScript' };
  return names[name] ?? name[0]!.toUpperCase() + name.slice(1);
}
