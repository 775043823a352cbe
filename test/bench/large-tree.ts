import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspace } from '../support/repository.ts';
import { randomFrom, words } from '../support/synthetic.ts';

/** A made-up tree of TypeScript, Python and Go whose imports lead somewhere; the same for the same shape. */
export interface TreeShape {
  readonly files: number;
  /** In the whole tree: functions, classes, methods, fields. Parameters come on top. */
  readonly symbols: number;
}

/** Every file differs between the two. */
export const branches = ['main', 'other'] as const;
export type Branch = (typeof branches)[number];

/** Every file of a branch defines one symbol whose name begins so. */
export const markerOf: Readonly<Record<Branch, string>> = { main: 'onBranchMain', other: 'onBranchOther' };

/** Writes the tree as a git repository with both branches committed, `main` checked out. Empties the folder before. */
export function writeLargeTree(root: string, shape: TreeShape): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const { git, commit } = workspace(root);
  git('init', '--quiet', `--initial-branch=${branches[0]}`);
  for (const branch of branches) {
    if (branch !== branches[0]) git('checkout', '--quiet', '-b', branch);
    for (const { path, content } of largeTree(shape, branch)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    commit(branch);
  }
  git('checkout', '--quiet', branches[0]);
}

function* largeTree(
  { files, symbols }: TreeShape,
  branch: Branch,
): Generator<{ readonly path: string; readonly content: string }> {
  yield { path: 'go.mod', content: `module ${goModule}\n\ngo 1.22\n` };
  yield { path: 'tsconfig.json', content: '{ "compilerOptions": { "module": "NodeNext", "strict": true } }\n' };
  const plans = Array.from({ length: files }, (_, at) => planOf(at, Math.max(6, Math.round(symbols / files))));
  const random = randomFrom(2);
  for (const plan of plans) {
    const imported = [1, 2, 3]
      .map(() => plans[Math.floor(random() ** 2 * files)]!)
      .filter(other => other.language === plan.language && other.folder !== plan.folder);
    const content = writers[plan.language](plan, [...new Set(imported)], `${markerOf[branch]}${plan.at}`);
    yield { path: plan.path, content };
  }
}

type Language = 'typescript' | 'python' | 'go';

interface Plan {
  readonly at: number;
  readonly language: Language;
  readonly folder: string;
  readonly path: string;
  /** In camel case; each stands for one symbol. */
  readonly functions: readonly string[];
  /** Each with two methods and a field. */
  readonly classes: readonly string[];
}

const goModule = 'example.com/large';
/** Of ten files, six TypeScript, three Python, one Go. */
const mix: readonly Language[] = [...Array<Language>(6).fill('typescript'), ...Array<Language>(3).fill('python'), 'go'];
const extensions: Readonly<Record<Language, string>> = { typescript: 'ts', python: 'py', go: 'go' };
const symbolsPerClass = 4;

function planOf(at: number, symbols: number): Plan {
  const random = randomFrom(at + 1);
  const word = (): string => words[Math.floor(random() * words.length)]!;
  const language = mix[at % mix.length]!;
  const group = Math.floor(at / 200);
  const folder = `${language}/${words[group % words.length]}${group}/${words[Math.floor(at / 20) % words.length]}${Math.floor(at / 20) % 10}`;
  const name = (): string => `${word()}${capital(word())}${random() < 0.5 ? capital(word()) : ''}`;
  const own = new Set<string>();
  const left = symbols - 1;
  const classes = Math.floor(left / 8);
  while (own.size < left - classes * symbolsPerClass) own.add(`${name()}${own.size % 3 === 0 ? at : ''}`);
  return {
    at,
    language,
    folder,
    path: `${folder}/file${at}.${extensions[language]}`,
    functions: [...own],
    classes: Array.from({ length: classes }, (_, one) => `${capital(name())}${at}${'ABCDEFGH'[one % 8]}`),
  };
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const snake = (text: string): string => text.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

type Writer = (plan: Plan, imported: readonly Plan[], marker: string) => string;

const writers: Readonly<Record<Language, Writer>> = { typescript, python, go };

function typescript({ folder, functions, classes }: Plan, imported: readonly Plan[], marker: string): string {
  const up = folder
    .split('/')
    .map(() => '..')
    .join('/');
  const imports = imported.map(
    other => `import { ${other.functions[0]} as used${other.at} } from '${up}/${other.path}';`,
  );
  return lines([
    ...imports,
    '',
    `/** Tells the branches apart. */`,
    `export function ${marker}(): string {`,
    `  return '${marker}';`,
    '}',
    ...functions.flatMap((name, at) => [
      '',
      `/** Takes a ${snake(name).replaceAll('_', ' ')} apart. */`,
      `export function ${name}(text: string, limit: number): string[] {`,
      `  const parts = text.split('${at}').slice(0, limit);`,
      `  if (parts.length > ${at + 3}) return ${functions[(at + 1) % functions.length]}(parts.join(' '), limit - 1);`,
      ...imported.map(other => `  for (const part of used${other.at}(text, limit)) parts.push(part);`),
      '  return parts;',
      '}',
    ]),
    ...classes.flatMap(name => [
      '',
      `export class ${name} {`,
      '  readonly source: string = "";',
      '',
      '  first(limit: number): string[] {',
      `    return ${functions[0]}(this.source, limit);`,
      '  }',
      '',
      '  second(): number {',
      '    return this.first(10).length;',
      '  }',
      '}',
    ]),
  ]);
}

function python({ functions, classes }: Plan, imported: readonly Plan[], marker: string): string {
  const names = functions.map(snake);
  return lines([
    ...imported.map(
      other =>
        `from ${other.path.slice(0, -3).replaceAll('/', '.')} import ${snake(other.functions[0]!)} as used${other.at}`,
    ),
    '',
    '',
    `def ${marker}():`,
    `    """Tells the branches apart."""`,
    `    return '${marker}'`,
    ...names.flatMap((name, at) => [
      '',
      '',
      `def ${name}(text: str, limit: int) -> list:`,
      `    """Takes a ${name.replaceAll('_', ' ')} apart."""`,
      `    parts = text.split('${at}')[:limit]`,
      `    if len(parts) > ${at + 3}:`,
      `        return ${names[(at + 1) % names.length]}(' '.join(parts), limit - 1)`,
      ...imported.map(other => `    parts.extend(used${other.at}(text, limit))`),
      '    return parts',
    ]),
    ...classes.flatMap(name => [
      '',
      '',
      `class ${name}:`,
      '    source = ""',
      '',
      '    def first(self, limit):',
      `        return ${names[0]}(self.source, limit)`,
      '',
      '    def second(self):',
      '        return len(self.first(10))',
    ]),
  ]);
}

function go({ folder, functions, classes, at: number }: Plan, imported: readonly Plan[], marker: string): string {
  // The files of a folder are one package and share its names.
  const own = (name: string, plan = number): string => `${capital(name)}At${plan}`;
  return lines([
    `package ${packageOf(folder)}`,
    '',
    'import (',
    '\t"strings"',
    ...imported.map(other => `\tused${other.at} "${goModule}/${other.folder}"`),
    ')',
    '',
    `// ${capital(marker)} tells the branches apart.`,
    `func ${capital(marker)}() string { return "${marker}" }`,
    ...functions.flatMap((name, at) => [
      '',
      `// ${own(name)} takes a ${snake(name).replaceAll('_', ' ')} apart.`,
      `func ${own(name)}(text string, limit int) []string {`,
      `\tparts := strings.SplitN(text, "${at}", limit)`,
      `\tif len(parts) > ${at + 3} {`,
      `\t\treturn ${own(functions[(at + 1) % functions.length]!)}(strings.Join(parts, " "), limit-1)`,
      '\t}',
      ...imported.map(
        other => `\tparts = append(parts, used${other.at}.${own(other.functions[0]!, other.at)}(text, limit)...)`,
      ),
      '\treturn parts',
      '}',
    ]),
    ...classes.flatMap(name => [
      '',
      `type ${name} struct {`,
      '\tSource string',
      '}',
      '',
      `func (one *${name}) First(limit int) []string { return ${own(functions[0]!)}(one.Source, limit) }`,
      '',
      `func (one *${name}) Second() int { return len(one.First(10)) }`,
    ]),
  ]);
}

const packageOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);
const lines = (all: readonly string[]): string => `${all.join('\n').trimStart()}\n`;
