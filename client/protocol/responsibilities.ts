import { exampleId, exampleRests } from './examples.ts';
import { ofSnapshot, operation } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, OneOf, Shape, SymbolId, SymbolKind, snapshotFields } from './shapes.ts';

const Source = OneOf(
  ['declared', 'readme', 'package-doc', 'manifest', 'inferred'],
  'declared: a file that is there to say it, such as MODULES.toml or catalog-info.yaml; readme: the README of its folder; package-doc: the documentation of its package in the source; manifest: the description in its manifest; inferred: no text says it, its names tell',
);

const KeySymbol = Shape({
  id: SymbolId,
  name: Type.String({ description: 'As in `keySymbols`' }),
  kind: SymbolKind,
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  usedByModules: Count('Other modules whose code uses it'),
  usedByFiles: Count('Files that use it, tests and its own file left out'),
});

export const responsibilities = {
  'responsibilities.get': operation({
    summary: 'What a module is there for, what it offers, and which of its symbols others use most',
    http: { method: 'GET', path: '/responsibilities/:moduleId*' },
    cli: {
      command: 'responsibilities <moduleId>',
      examples: ['svc responsibilities packages/parser', 'svc responsibilities @root'],
    },
    input: Shape({
      moduleId: Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'A module of the architecture: its path, or @root',
      }),
    }),
    output: Shape({
      moduleId: Type.String(),
      name: Type.String({ description: 'As its manifest calls it' }),
      summary: Type.String(),
      capabilities: Type.Array(Type.String(), {
        description: 'What texts list, then commands and what exported names tell; 12 at most',
      }),
      keySymbols: Type.Array(Type.String(), {
        description:
          'Of what it exports that which most other modules and files use, 10 at most; qualified where another one has the name',
      }),
      confidence: Type.Number({
        minimum: 0,
        maximum: 1,
        description:
          'By the source: 0.95 declared, 0.85 readme, 0.8 package-doc, 0.75 manifest, 0.5 of what says only where it belongs; inferred 0.1 to 0.5, by how much there is to tell from',
      }),
      source: Source,
      sources: Type.Array(Shape({ kind: Source, path: Type.String(), line: Type.Integer({ minimum: 1 }) }), {
        description: 'Where the summary and the capabilities stand, as far as a text says them',
      }),
      symbols: Type.Array(KeySymbol, { description: 'The key symbols, in the same order' }),
      exports: Count('What it exports: types, functions and values, without what is in types'),
      ...snapshotFields,
    }),
    faults: ['resourceNotFound', 'notReady', 'indexStale'],
    ...ofSnapshot,
    example: {
      input: { moduleId: 'src' },
      output: {
        moduleId: 'src',
        name: 'src',
        summary: 'Reads configuration files and says what is wrong with them.',
        capabilities: ['Command check', 'Parse config and schema'],
        keySymbols: ['parseConfig'],
        confidence: 0.85,
        source: 'readme',
        sources: [{ kind: 'readme', path: 'src/README.md', line: 3 }],
        symbols: [
          {
            ...{ id: exampleId, name: 'parseConfig', kind: 'function', file: 'src/config.ts', line: 12 },
            ...{ usedByModules: 2, usedByFiles: 9 },
          },
        ],
        exports: 4,
        ...exampleRests,
      },
    },
  }),
};
