import type { Privacy } from '../../../daemon/model/privacy.ts';
import type { Documents } from '../jobs/uploads.ts';

/** What a repository may keep back, in two versions. */
export interface Kept {
  readonly folder: (name: string) => string;
  readonly documentation: string;
  readonly type: string;
  /** Where it is another one than the settings have. */
  readonly prefix?: string;
}

/** Twins for each setting: what they differ in is what it keeps back. */
export const settings: readonly (readonly [string, Partial<Privacy>, Kept, Kept])[] = [
  [
    'paths',
    { exposePaths: false },
    {
      folder: name => ({ a: 'src/a', b: 'src/b', c: 'src/c' })[name]!,
      documentation: 'As src/a/index.ts and src.b.index.x do.',
      type: 'number',
    },
    // What comes first there comes last here, and other files are tests.
    {
      folder: name => ({ a: 'z/test', b: 'y', c: 'deep/er/still' })[name]!,
      documentation: 'As z/test/index.ts and y.index.x do.',
      type: 'number',
    },
  ],
  [
    'documentation and signatures',
    { exposeDocs: false, exposeSignatures: false },
    { folder: name => `src/${name}`, documentation: 'The launch is on Monday.', type: 'number' },
    { folder: name => `src/${name}`, documentation: 'Zebra.', type: 'string' },
  ],
  [
    'everything',
    { exposePaths: false, exposeDocs: false, exposeSignatures: false },
    { folder: name => `src/${name}`, documentation: 'One.', type: 'number' },
    { folder: name => `lib/${'cba'['abc'.indexOf(name)]!}`, documentation: 'Another, longer.', type: 'string' },
  ],
  [
    'the beginning of paths',
    { pathPrefixStrip: 'clients/acme/' },
    { folder: name => `clients/acme/${name}`, documentation: 'As clients/acme/a/x, clients.acme.b.', type: 'number' },
    { folder: name => `z/${name}`, documentation: 'As z/a/x, z.b.', type: 'number', prefix: 'z/' },
  ],
];

/** Guesses at what is kept back, of either twin: they are answered alike. */
export const guesses = [
  'src/a/index.ts',
  'z/test/index.ts',
  'src',
  'test',
  'index.ts',
  'util',
  'Monday',
  'Zebra',
  'number',
  'clients',
  '/',
];

/** A work tree. */
export function sourcesOf({ folder, documentation, type }: Kept): readonly (readonly [string, string])[] {
  const doc = `/** ${documentation} */`;
  return [
    [
      `${folder('a')}/index.ts`,
      `${doc}\nexport class Store {\n  ${doc}\n  open(of: ${type}): void { this.open(of); }\n}\nexport const a = 1;\n`,
    ],
    [`${folder('b')}/index.ts`, `${doc}\nexport function helper(of: ${type}): void { helper(of); }\nhelper(null!);\n`],
    [`${folder('c')}/index.ts`, `${doc}\nexport function helper(of: ${type}): void {\n  helper(of);\n}\n`],
    [`${folder('c')}/util.ts`, `export {};\n`],
    [`${folder('b')}/util.ts`, `export const e = [1];\n`],
    // Which files are alike may hang on what is kept back alone.
    [`${folder('a')}/same.ts`, `${doc}\nexport const same = 1;\n`],
    [`${folder('b')}/same.ts`, `/** Zebra. */\nexport const same = 1;\n`],
    [`${folder('a')}/one.c`, `int shared(int a);\n`],
    [`${folder('b')}/two.c`, `int shared(int a);\n`],
    [`${folder('c')}/three.py`, `def open_it(it):\n    """${documentation}"""\n    return it.open()\n`],
  ];
}

/** An upload. */
export function scipOf({ folder, documentation, type }: Kept): Documents {
  const sym = (path: string, rest: string): string => {
    const [file, ...folders] = path.split('/').reverse();
    return `scip-typescript npm pkg 1.0.0 ${folders
      .reverse()
      .map(one => `${one}/`)
      .join('')}\`${file}\`/${rest}`;
  };
  const document = (path: string, name: string, line: number, calls: readonly string[]) => ({
    relativePath: path,
    language: 'TypeScript',
    occurrences: [
      { range: [0, 0, 0], symbol: sym(path, ''), symbolRoles: 1 },
      { range: [line, 6, 11], symbol: sym(path, name), symbolRoles: 1, enclosingRange: [line, 0, line + 5, 1] },
      ...calls.map((symbol, at) => ({ range: [line + 1 + at, 2, 6], symbol })),
    ],
    symbols: [
      {
        symbol: sym(path, name),
        documentation: [`\`\`\`ts\nfunction ${name.replace(/\W/g, '')}(of: ${type})\n\`\`\``, documentation],
      },
    ],
  });
  const [a, b, c] = ['a', 'b', 'c'].map(name => `${folder(name)}/index.ts`) as [string, string, string];
  const util = `${folder('c')}/util.ts`;
  return [
    document(a, 'Store#', 1, [sym(b, 'helper().'), sym(util, 'helper().')]),
    document(b, 'helper().', 3, [sym(a, 'Store#'), sym(c, 'helper().')]),
    document(c, 'helper().', 4, [sym(b, 'helper().')]),
    document(util, 'helper().', 3, [sym(a, 'Store#'), 'scip-typescript npm lib 1.0.0 `x.d.ts`/each().']),
  ];
}
