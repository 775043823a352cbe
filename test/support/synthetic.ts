import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { ContentHash, Dialect, MountedDocument, ScopeKey } from '../../daemon/model/document.ts';
import type {
  DefinitionFact,
  DocumentFacts,
  Expression,
  ImportFact,
  Range,
  ReferenceFact,
  ReferenceKind,
} from '../../daemon/model/facts.ts';
import { encodeFacts } from '../../daemon/model/facts-codec.ts';
import type { DocumentLinks, ImportTarget, Target } from '../../daemon/model/links.ts';
import type { ManifestLine } from '../../daemon/model/manifest.ts';
import type { RepoPath } from '../../daemon/model/paths.ts';
import { Question, type QuestionKey } from '../../daemon/model/question.ts';
import { allGroups } from '../../daemon/model/reference-groups.ts';
import type { SymbolKind } from '../../daemon/model/symbol.ts';
import type { FactKey, FactRow, LinkedDocument } from '../../daemon/store/publication.ts';

/** One use in a hand-made document: `name` resolves to (scope, tail), to an external name, or stays a candidate. */
export interface Use {
  readonly name: string;
  readonly line: number;
  readonly column?: number;
  readonly kind?: ReferenceKind;
  readonly enclosing?: number;
  readonly target?: Target;
  /** The name is one of a member of something unknown; else it stands by itself. */
  readonly isMember?: true;
}

export interface HandMade {
  readonly path: string;
  readonly definitions?: readonly HandMadeDefinition[];
  readonly uses?: readonly Use[];
  /** Of modules as a whole, a line each. */
  readonly imports?: readonly { readonly specifier: string; readonly target?: ImportTarget }[];
  /** Names under which definitions, by their slots, are exported. */
  readonly exportsAs?: Readonly<Record<string, number>>;
  readonly text?: string;
  readonly isTest?: boolean;
  readonly questions?: readonly string[];
  readonly language?: string;
  readonly scope?: string;
}

export interface HandMadeDefinition {
  readonly name: string;
  readonly tail?: string;
  readonly kind?: SymbolKind;
  readonly line?: number;
  readonly container?: number;
  readonly exported?: boolean;
  readonly hasBody?: boolean;
  readonly documentation?: string;
}

export interface Made {
  readonly fact: FactRow;
  readonly entry: ManifestLine;
  readonly linked: LinkedDocument;
}

/** Facts, manifest entry and links of a document described by hand, as extraction and linking would give them. */
export function made(spec: HandMade): Made {
  const facts = factsOf(spec);
  const encoded = encodeFacts(facts);
  const text = Buffer.from(spec.text ?? '');
  const hash = createHash('sha256').update(encoded).update(text).digest('hex') as ContentHash;
  const key: FactKey = { hash, dialect: 'typescript' as Dialect, version: 1 };
  const scope = (spec.scope ?? spec.path) as ScopeKey;
  const path = spec.path as RepoPath;
  const document: MountedDocument = { path, scope, isTest: spec.isTest ?? false, facts };
  const links: DocumentLinks = {
    targets: (spec.uses ?? []).map(use => use.target ?? { kind: 'candidate' }),
    imports: (spec.imports ?? []).map(one => one.target ?? { kind: 'unresolved' }),
    questions: (spec.questions ?? []).map(key => ({
      question: new Question(key as QuestionKey, ''),
      groups: allGroups,
    })),
    linked: allGroups,
  };
  return {
    fact: { ...key, facts: encoded, text: deflateSync(text, { level: 1 }) },
    entry: { entry: { path, hash, dialect: key.dialect, skip: '' }, version: 1, scope, stat: undefined },
    linked: { document, key, links },
  };
}

export function symbolTarget(path: string, tail: string, confidence = 0.9): Target {
  return { kind: 'symbol', scope: path as ScopeKey, tail, confidence };
}

function factsOf(spec: HandMade): DocumentFacts {
  const exported = Object.entries(spec.exportsAs ?? {});
  const used: readonly Expression[] = [
    { op: 'unknown' },
    ...(spec.uses ?? []).map(use => ({ op: 'free', name: use.name }) as const),
  ];
  return {
    language: spec.language ?? 'typescript',
    lineCount: (spec.text ?? '').split('\n').length,
    packageName: '',
    standalone: false,
    definitions: (spec.definitions ?? []).map(definitionOf),
    imports: (spec.imports ?? []).map(importOf),
    exports: exported.map(([name], at) => ({ name, of: used.length + at })),
    expressions: [...used, ...exported.map(([, slot]) => ({ op: 'slot', slot }) as const)],
    references: (spec.uses ?? []).map((use, at) => ({ ...referenceOf(use), expression: use.isMember ? 0 : at + 1 })),
    complexity: [],
    tests: [],
    configuration: '',
    parseErrors: 0,
  };
}

function importOf({ specifier }: { readonly specifier: string }, line: number): ImportFact {
  return { specifier, name: '*', local: '', wildcard: false, typeOnly: false, escapes: false, exported: false, line };
}

function definitionOf(one: HandMadeDefinition): DefinitionFact {
  const line = one.line ?? 0;
  const nameRange: Range = { startLine: line, startColumn: 0, endLine: line, endColumn: one.name.length };
  return {
    name: one.name,
    tail: one.tail ?? `${one.name}().`,
    kind: one.kind ?? 'function',
    container: one.container ?? -1,
    nameRange,
    range: nameRange,
    signature: `function ${one.name}(): void`,
    documentation: one.documentation ?? '',
    visibility: 'public',
    exported: one.exported ?? true,
    hasBody: one.hasBody ?? true,
    condition: '',
    type: -1,
    supers: [],
  };
}

function referenceOf(use: Use): ReferenceFact {
  const column = use.column ?? 0;
  return {
    name: use.name,
    kind: use.kind ?? 'call',
    line: use.line,
    column,
    endLine: use.line,
    endColumn: column + use.name.length,
    enclosing: use.enclosing ?? -1,
    expression: 0,
  };
}

export const words =
  'get set make read write parse find list open close load store index symbol name file path token node tree walk link edge graph rank score match query cursor page row column table fact text line range scope kind type value state event queue job task clock timer socket server client request response header body route error fault retry limit'.split(
    ' ',
  );

/** A repository of `files` documents with `symbolsPerFile` definitions and `usesPerFile` uses each; the same for the same seed. */
export function* syntheticRepository(
  files: number,
  symbolsPerFile: number,
  usesPerFile: number,
  seed = 1,
): Generator<Made> {
  const random = randomFrom(seed);
  const pick = (): string => words[Math.floor(random() * words.length)]!;
  const names: string[][] = [];
  const pathOf = (file: number): string => `packages/${words[file % 40]}/src/${words[(file * 7) % 71]}/file${file}.ts`;
  for (let file = 0; file < files; file++) {
    const own = new Set<string>();
    while (own.size < symbolsPerFile) {
      const camel = [pick(), pick(), ...(random() < 0.6 ? [pick()] : [])].map((word, at) =>
        at === 0 ? word : word[0]!.toUpperCase() + word.slice(1),
      );
      own.add(`${camel.join('')}${random() < 0.25 ? Math.floor(random() * 1000) : ''}`);
    }
    names.push([...own]);
  }
  for (let file = 0; file < files; file++) {
    const definitions = names[file]!.map((name, at) => ({ name, line: at * 5, exported: at % 2 === 0 }));
    const uses: Use[] = [];
    for (let at = 0; at < usesPerFile; at++) {
      const near = random() < 0.7 ? file : Math.floor(random() ** 3 * files);
      const name = names[near]![Math.floor(random() ** 2 * symbolsPerFile)]!;
      const settled = random() < 0.75;
      uses.push({
        name: settled ? name : pick(),
        line: at,
        column: 4,
        enclosing: at % symbolsPerFile,
        ...(settled ? { target: symbolTarget(pathOf(near), `${name}().`) } : {}),
      });
    }
    const text = uses.map(use => `    const result = ${use.name}(first, second); // ${pick()} ${pick()}`).join('\n');
    yield made({
      path: pathOf(file),
      definitions,
      uses,
      text,
      questions: [`exists\0${pathOf(file)}`, ...uses.slice(0, 20).map(use => `export\0${use.name}`)],
    });
  }
}

/** mulberry32: small, seeded, good enough for shapes. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
