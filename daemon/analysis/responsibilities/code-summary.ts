import type { SymbolKind } from '../../model/symbol.ts';
import type { ExportedName, ModuleCode } from './module-code.ts';
import { wordsOfName } from './name-words.ts';
import { firstSentence } from './sentences.ts';
import { tellingOf } from './telling.ts';

export interface CodeSummary {
  readonly text: string;
  /** Up to 0.5, by how much there is that tells: names, what is written above one of them, uses elsewhere. */
  readonly confidence: number;
}

/** What a module is, told by what its code defines, runs or tests, in a sentence or two. */
export function codeSummary(code: ModuleCode): CodeSummary {
  const { module, files, exportCount } = code;
  if (files.length === 0) return { text: `Has no code of its own${belowIn(code)}.`, confidence: 0.1 };
  if (module.isTest) return ofTests(code);
  const program = programIn(code);
  if (code.exported.length === 0) return { text: `${program}${heldBy(code)}.`, confidence: program === '' ? 0.1 : 0.2 };
  const inOrder = namesakeFirst(code);
  const [first] = typesFirst(inOrder.slice(0, mostAsked)).flatMap(one => tellingDocumentation(one) ?? []);
  const isNamesake = first !== undefined && first.name === inOrder[0]?.name && isNamed(first.name, module.name);
  const said = first === undefined ? '' : `${saidOf(first)}.`;
  const defines = `Defines ${definedBy(inOrder, exportCount)}.`;
  const parts = isNamesake ? [said, defines] : [defines, said];
  const text = `${program}${parts.filter(part => part !== '').join(' ')}`;
  return { text, confidence: confidenceIn(code, said !== '') };
}

/** So many of the most used names are looked at for what is written above them. */
const mostAsked = 5;
const mostNamed = 3;

function belowIn({ below }: ModuleCode): string {
  if (below.length === 0) return '';
  const named = below.length <= mostNamed ? `: ${together(below)}` : '';
  return ` but for ${counted(below.length, 'module')} below it${named}`;
}

/** Of files that export nothing their names: "Holds app, auth and 14 more, files of php that export nothing". */
function heldBy({ exportCount, files, module }: ModuleCode): string {
  const stems = files.map(path => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''));
  const names = listed([...new Set(stems)]);
  if (files.every(path => /\.mdx?$/.test(path))) return `Pages: ${names}`;
  const what =
    files.length === 1 ? `a file of ${module.language} that exports` : `files of ${module.language} that export`;
  return `Holds ${names}, ${what} ${exportCount === 0 ? 'nothing' : 'no names'}`;
}

/** What a type is says more of a module than what a function does. */
function typesFirst(exported: readonly ExportedName[]): readonly ExportedName[] {
  const isType = ({ kind }: ExportedName): boolean => types.has(kind);
  return [...exported.filter(isType), ...exported.filter(one => !isType(one))];
}

const types: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'type', 'object']);

/** Go's comments begin with the name that they are about, and so do many others; to the letter, for `resolve` may begin with "Resolve a name". */
function saidOf({ name, text }: SaidName): string {
  const subject = text.replace(/^(?:an?|the)\s/i, '').replace(/^\W{1,2}/, '');
  const isAbout = subject.startsWith(name) && !/\w/.test(subject[name.length] ?? ' ');
  return isAbout ? text : `${name}: ${text}`;
}

interface SaidName {
  readonly name: string;
  readonly text: string;
}

function ofTests({ files, tested }: ModuleCode): CodeSummary {
  const of = tested.length === 0 ? 'Tests' : `Tests of ${together(tested.slice(0, mostNamed))}`;
  return { text: `${of}: ${counted(files.length, 'file')}.`, confidence: tested.length === 0 ? 0.3 : 0.5 };
}

function programIn({ entrypoints }: ModuleCode): string {
  const runs = entrypoints.filter(({ kind }) => kind === 'cli' || kind === 'main' || kind === 'server');
  const names = [...new Set(runs.map(({ name }) => name))]
    .filter(name => !/^(?:main|index|Program)$|\.config$|\//.test(name))
    .sort();
  if (runs.length === 0) return '';
  if (names.length === 0) return 'A program. ';
  return `${names.length === 1 ? 'Program' : 'Programs'} ${listed(names)}. `;
}

/** A type that bears the module's own name says most of it, a function only where it has no types. */
function namesakeFirst({ exported, module }: ModuleCode): readonly ExportedName[] {
  const namesake = typesFirst(exported).find(
    ({ kind, name }, _, [first]) => isNamed(name, module.name) && types.has(kind) === types.has(first!.kind),
  );
  return namesake === undefined ? exported : [namesake, ...exported.filter(one => one !== namesake)];
}

/** `Bulkhead` in `resilience4j-bulkhead`, `ScopeManager` in `@typescript-eslint/scope-manager`. */
function isNamed(name: string, module: string): boolean {
  const [own, words] = [wordsOfName(module), wordsOfName(name)];
  return words.length > 0 && own.slice(-words.length).join(' ') === words.join(' ');
}

function tellingDocumentation({ name, documentation }: ExportedName): SaidName | undefined {
  const text = firstSentence(documentation()).replace(/(?:\s+(?:that|which|are|is|with|the following))*:$/, '');
  return text.length > longestSaid || tellingOf(text, [name]) !== 'much' ? undefined : { name, text };
}

const longestSaid = 240;

function definedBy(exported: readonly ExportedName[], all: number): string {
  const distinct = [...new Set(exported.map(({ name }) => name))];
  const listedNames = listed(distinct, all);
  const kinds = kindsOf(exported);
  return kinds === '' ? listedNames : `${listedNames}, ${kinds}`;
}

/** `mostly classes`, where more than half are of one kind; of one or two names nothing. */
function kindsOf(exported: readonly ExportedName[]): string {
  if (exported.length < 3) return '';
  const counts = new Map<SymbolKind, number>();
  for (const { kind } of exported) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const [most] = [...counts].sort(([one, some], [other, others]) => others - some || (one < other ? -1 : 1));
  if (most === undefined || most[1] * 2 <= exported.length) return '';
  return `${most[1] === exported.length ? 'all' : 'mostly'} ${plurals.get(most[0]) ?? `${most[0]}s`}`;
}

const plurals: ReadonlyMap<SymbolKind, string> = new Map([
  ['class', 'classes'],
  ['property', 'properties'],
  ['enum-member', 'enum members'],
  ['type-parameter', 'type parameters'],
]);

function confidenceIn({ exported }: ModuleCode, isSaid: boolean): number {
  const reasons = [
    exported.length >= mostNamed,
    isSaid,
    exported.slice(0, mostNamed).some(one => one.usedElsewhere + one.usedInside > 0),
  ];
  return Math.round((0.2 + 0.1 * reasons.filter(Boolean).length) * 100) / 100;
}

function together(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The first of some names, and how many more there are; one left over is named rather than counted. */
function listed(names: readonly string[], all: number = names.length): string {
  if (all <= mostNamed + 1 && names.length === all) return together(names);
  const first = names.slice(0, mostNamed);
  return `${first.join(', ')} and ${all - first.length} more`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
