import { quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { ExportedName, ModuleCode } from '../../analysis/responsibilities/module-code.ts';
import { type ModuleTexts, responsibilitiesOf } from '../../analysis/responsibilities/responsibilities.ts';
import { type Offered, type Usage, usageOf } from '../../analysis/responsibilities/usage.ts';
import { declaringNames } from '../../model/about-files.ts';
import { symbolId } from '../../model/identity.ts';
import { type CodeModule, type Entrypoint, type ModuleModel, rootModuleId } from '../../model/module.ts';
import { directoryOf } from '../../model/paths.ts';
import type { ShownDefinition } from '../../store/graph/snapshot-graph.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import { fix } from '../finding.ts';
import { completeness } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { askedPath } from './asked-path.ts';
import { declaredIn, firstParagraph, type ModuleTextPlaces, moduleTexts } from './module-texts.ts';
import { partsTold } from './repository-modules.ts';

type Output = OutputOf<Operations['responsibilities.get']>;
/** What is told of a module, whichever snapshot it is of. */
export type ToldResponsibilities = Omit<Output, 'snapshotId' | 'completeness' | 'timestamp'>;

/** What a module is there for. Throws `resourceNotFound`, with the module that holds the path or ids that are near it. */
export function responsibilitiesAnswer(
  of: AnalysedSnapshot,
  { moduleId }: InputOf<Operations['responsibilities.get']>,
): Output {
  const { asked, snapshot } = of;
  const modules = describedIn(of);
  return {
    ...modules.toldOf(moduleMeant(of, modules.model, moduleId)),
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

function moduleMeant(of: AnalysedSnapshot, model: ModuleModel, asked: string): CodeModule {
  const { modules } = model;
  const known = modules.find(({ id }) => id === asked);
  if (known !== undefined) return known;
  const isHere = (path: string): boolean => modules.some(one => one.path === path);
  const path = askedPath(asked, { field: 'moduleId', refusal: 'invalidParameter', isHere });
  const meant = modules.find(one => one.path === path);
  if (meant !== undefined) return meant;
  throw unknownModule(of, model, path);
}

/** So many ids that are like the one that was asked for are told. */
const mostNear = 5;

function unknownModule({ asked, reader, snapshot }: AnalysedSnapshot, model: ModuleModel, path: string): Fault {
  const { key, id: repo } = asked.repo;
  const isThere =
    reader.file(key, snapshot.seq, path) !== undefined || reader.filesBelow(key, snapshot.seq, path, 1).length > 0;
  const holder = isThere ? model.moduleOf(path).id : undefined;
  const near = [...new Set([...(holder === undefined ? [] : [holder]), ...nearIds(path, model)])].slice(0, mostNear);
  const message =
    holder === undefined
      ? `There is no module ${JSON.stringify(path)}`
      : `${JSON.stringify(path)} is no module; it lies in ${holder}`;
  return new Fault('resourceNotFound', message, {
    details: { moduleId: path, ...(holder === undefined ? {} : { holder }), near },
    suggestedFixes: [
      ...near
        .slice(0, 1)
        .map(id => fix(`svc responsibilities --repo ${quote(repo)} ${quote(id)}`, 'Ask about that module')),
      fix(`svc arch --repo ${quote(repo)}`, 'Show the modules'),
    ],
    drilldowns: near.map(id => ({
      label: id === holder ? 'The module that holds it' : 'A module of a similar name',
      query: `/responsibilities/${id.split('/').map(encodeURIComponent).join('/')}?repo=${encodeURIComponent(repo)}`,
    })),
  });
}

/** Ids that end as the one that was asked for, or are spelt nearly so. */
function nearIds(asked: string, { modules }: ModuleModel): readonly string[] {
  const last = (id: string): string => id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  const ids = modules.map(({ id }) => id).filter(id => id !== rootModuleId);
  const alike = ids.filter(id => last(id) === last(asked));
  const named = modules.filter(({ name }) => name === asked).map(({ id }) => id);
  const whole = nearest(asked, ids);
  const end = nearest(last(asked), ids.map(last));
  return [...named, ...(whole === undefined ? [] : [whole]), ...alike, ...ids.filter(id => last(id) === end)];
}

/** The modules of a snapshot, and what is told of them. */
export interface Described {
  readonly seq: number;
  readonly model: ModuleModel;
  /** Made when it is asked for first, within a read of that snapshot. */
  toldOf(module: CodeModule): ToldResponsibilities;
}

/** Of each reader by repository: the newest snapshot that was asked about. */
const kept = new WeakMap<IndexReader, Map<string, Described>>();

export function describedIn(of: AnalysedSnapshot): Described {
  const { asked, graph, reader } = of;
  const ofReader = kept.get(reader) ?? new Map<string, Described>();
  kept.set(reader, ofReader);
  const known = ofReader.get(asked.repo.key);
  if (known?.seq === graph.seq) return known;
  const described = describe(of);
  ofReader.set(asked.repo.key, described);
  return described;
}

function describe(of: AnalysedSnapshot): Described {
  const { asked, graph, reader, snapshot } = of;
  const documents = reader.told(asked.repo.key, snapshot.seq)!;
  const model = of.modules();
  const { tree } = partsTold(documents).parts;
  const textOf = (path: string): string | undefined => reader.text(asked.repo.key, snapshot.seq, path);
  const declaring = declaringNames.flatMap(name => tree.filesNamed(name).map(({ path }) => path));
  const places = { tree, textOf, declared: declaredIn(declaring, textOf), repositoryName: asked.repo.id };
  const numbers = new Map(model.modules.map(({ id }, at) => [id, at]));
  const folders = new Map<string, number>();
  const usage = usageOf(graph.documents(), {
    moduleAt: path => {
      const folder = directoryOf(path);
      const known = folders.get(folder) ?? numbers.get(model.moduleOf(path).id)!;
      folders.set(folder, known);
      return known;
    },
    isMember: site => /#./.test(graph.declaredAt(site).tail),
  });
  const told = new Map<string, ToldResponsibilities>();
  return {
    seq: snapshot.seq,
    model,
    toldOf: module => {
      const known = told.get(module.id) ?? tell(of, { model, places, usage, number: numbers.get(module.id)! }, module);
      told.set(module.id, known);
      return known;
    },
  };
}

interface Evidence {
  readonly model: ModuleModel;
  readonly places: ModuleTextPlaces;
  readonly usage: Usage;
  /** Of the module among all. */
  readonly number: number;
}

/** So many of what a module offers are looked at by their names, the most used. */
const mostNames = 400;
const mostKeys = 10;

function tell(
  of: AnalysedSnapshot,
  { model, places, usage, number }: Evidence,
  module: CodeModule,
): ToldResponsibilities {
  const offered = usage.offeredBy(number);
  const entrypoints = model.entrypoints.filter(one => one.moduleId === module.id && !isBeside(one.path, module));
  const looked = offered.slice(0, mostNames).map(one => ({ one, shown: of.graph.shown(one) }));
  const meant = looked.filter(one => !isNobodys(one));
  const named = meant.filter(({ shown: { name } }) => !untelling.test(name));
  const exports = offered.length - looked.length + meant.length;
  const nameOf = (at: number): string => model.modules[at]!.name;
  const code: ModuleCode = {
    module,
    files: usage.filesOf(number),
    exported: named.map(({ one, shown }) => exportedName(of, one, shown)),
    exportCount: exports,
    entrypoints,
    tested: module.isTest
      ? usage
          .mostUsedBy(number)
          .filter(at => !model.modules[at]!.isTest)
          .map(nameOf)
      : [],
    below: model.modules.flatMap(one => (isInside(one, module) ? [one.name] : [])),
  };
  const { sources, ...said } = responsibilitiesOf(textsOf(module, model, entrypoints, places), code);
  const keys = module.isTest ? [] : keySymbols(of, named);
  return {
    ...{ moduleId: module.id, name: module.name, ...said, capabilities: [...said.capabilities] },
    keySymbols: keys.map(({ name }) => name),
    sources: sources.map(({ line, ...one }) => ({ ...one, line: line + 1 })),
    symbols: keys,
    exports,
  };
}

/** A folder that has the code of its package, or is called as that is: what is said of the one is said of the other. */
function textsOf(
  module: CodeModule,
  model: ModuleModel,
  entrypoints: readonly Entrypoint[],
  places: ModuleTextPlaces,
): ModuleTexts {
  const own = moduleTexts(module, entrypoints, places);
  const around = model.modules.find(({ id }) => id === module.packageId);
  if (around === undefined || around === module) return own;
  const isSource = directoryOf(module.path) === around.path && /^(?:src|source|sources|lib)$/.test(module.name);
  if (!isSource && !isCalled(module.name, around.name)) return own;
  const { readme, manifest } = moduleTexts(around, [], places);
  return { ...own, readme: [...own.readme, ...readme], manifest: own.manifest ?? manifest };
}

function isCalled(name: string, other: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/^@[^/]*\//, '')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  return plain(name) === plain(other) && plain(name) !== '';
}

/** Code that measures a module or shows its use, unless that is what the module is. */
function isBeside(path: string, module: CodeModule): boolean {
  return beside.test(`${path.slice(module.path.length)}`);
}

const beside = /(?:^|\/)(?:jmh|bench(?:marks?)?|examples?|samples?|demos?)\//i;

/** What has a header of C included once, and how values end. */
function isNobodys({ shown: { kind, name } }: NamedOffer): boolean {
  return kind === 'macro' ? /_H(?:PP|XX|H)?_*$/i.test(name) : name.startsWith('~');
}

/** Names that tell nothing of what they stand for. */
const untelling = /^(?:default|main|_+)$/;

interface NamedOffer {
  readonly one: Offered;
  readonly shown: ShownDefinition;
}

function exportedName(
  { asked, reader, snapshot }: AnalysedSnapshot,
  one: Offered,
  { name, kind, hash }: ShownDefinition,
): ExportedName {
  return {
    ...{ name, kind, usedElsewhere: one.files, usedInside: one.ownFiles },
    documentation: () => {
      const row = reader.symbol(asked.repo.key, snapshot.seq, hash);
      return row === undefined ? '' : firstParagraph(row.documentation, row.language);
    },
  };
}

/** The most used; a name that the module offers several times is told with what it stands in, or with its file. */
function keySymbols({ asked }: AnalysedSnapshot, offers: readonly NamedOffer[]): ToldResponsibilities['symbols'] {
  const counts = new Map<string, number>();
  for (const { shown } of offers) counts.set(shown.name, (counts.get(shown.name) ?? 0) + 1);
  const named = new Map<string, ToldResponsibilities['symbols'][number]>();
  for (const { one, shown } of offers) {
    const name = counts.get(shown.name) === 1 ? shown.name : qualified(shown);
    // `Policy` and `Policy<T>` are two, and told as one.
    if (named.has(name)) continue;
    if (named.size === mostKeys) break;
    named.set(name, {
      ...{ id: symbolId(asked.repo.id, shown.hash), name, kind: shown.kind },
      ...{ file: shown.path, line: shown.nameRange.startLine + 1 },
      ...{ usedByModules: one.modules, usedByFiles: one.files + one.ownFiles },
    });
  }
  return [...named.values()];
}

function qualified({ containers, name, path }: ShownDefinition): string {
  return containers.length > 0 ? [...containers, name].join('.') : `${path}:${name}`;
}

function isInside({ path }: CodeModule, { path: folder }: CodeModule): boolean {
  return folder === '' ? path !== '' : path.startsWith(`${folder}/`);
}
