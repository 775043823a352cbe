import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { answerBounds, type Bounds } from '../../analysis/architecture/bounds.ts';
import { directoryView } from '../../analysis/architecture/directories.ts';
import { fileView } from '../../analysis/architecture/files.ts';
import { moduleView } from '../../analysis/architecture/modules.ts';
import { withoutUnnamed } from '../../analysis/architecture/named-packages.ts';
import { pictureOf, type View } from '../../analysis/architecture/pictures.ts';
import { condense } from '../../analysis/pictures/condense.ts';
import { dotOf } from '../../analysis/pictures/dot.ts';
import { mermaidOf, mostMermaidEdges } from '../../analysis/pictures/mermaid.ts';
import type { Drawing } from '../../analysis/pictures/picture.ts';
import { svgOf } from '../../analysis/pictures/svg.ts';
import { type FileGraph, isBelow } from '../../model/file-graph.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import { type CodeModule, type ModuleModel, rootModuleId } from '../../model/module.ts';
import { directoryOf } from '../../model/paths.ts';
import { fileRemedies } from '../finding.ts';
import { completeness } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { askedPath } from './asked-path.ts';

type Input = InputOf<Operations['analysis.architecture']>;
type Output = Exclude<OutputOf<Operations['analysis.architecture']>, string>;

/** What the code of a snapshot consists of, as JSON or as the text of a picture. */
export function architectureAnswer(of: AnalysedSnapshot, input: Input): Output | string {
  const { asked, reader, snapshot } = of;
  const graph = reader.fileGraph(asked.repo.key, snapshot.seq)!;
  const target = targetOf(of, graph, input.targetPath);
  const question = { of, input, graph, target };
  const { format } = input;
  const key = [format, target, input.granularity, input.depth, input.includeExternalDeps, input.inferModules];
  if (format !== 'json') return kept(graph, key, () => picture(question, format));
  const told = kept(graph, key, () => answer(question));
  return {
    ...told,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

interface Question {
  readonly of: AnalysedSnapshot;
  readonly input: Input;
  readonly graph: FileGraph;
  /** '' for all. */
  readonly target: string;
}

/** The path that is meant: of a module its id will do. Throws `fileNotFound` where no code lies there. */
function targetOf(of: AnalysedSnapshot, { files }: FileGraph, text: string | undefined): string {
  if (text === undefined || text === rootModuleId) return '';
  const isHere = (place: string): boolean => files.some(({ path }) => isBelow(path, place));
  const target = askedPath(text, { field: 'targetPath', refusal: 'invalidParameter', isHere });
  if (isHere(target)) return target;
  throw new Fault('fileNotFound', 'No code of the repository lies at or below that path', {
    details: { targetPath: target },
    suggestedFixes: fileRemedies(of.asked.repo.id, of.asked.dirtyFiles > 0),
  });
}

/** Answers to other questions about the same snapshot are made of the same graph, and as often asked again. */
const answersKept = 8;
const keptAnswers = new WeakMap<FileGraph, Map<string, unknown>>();

function kept<Answer>(graph: FileGraph, question: readonly unknown[], make: () => Answer): Answer {
  let answers = keptAnswers.get(graph) as Map<string, Answer> | undefined;
  if (answers === undefined) {
    answers = new Map();
    keptAnswers.set(graph, answers);
  }
  const key = JSON.stringify(question);
  const known = answers.get(key) ?? make();
  keepNewest(answers, key, known, answersKept);
  return known;
}

type Told = Output extends infer One
  ? One extends Output
    ? Omit<One, 'snapshotId' | 'completeness' | 'timestamp'>
    : never
  : never;

function answer(question: Question): Told {
  const { view, model } = viewOf(question, answerBounds);
  const { truncated, omitted } = view;
  const lists = (cycles: readonly (readonly string[])[]) => cycles.map(cycle => [...cycle]);
  const rest = { cycles: lists(view.cycles), mergedCycles: lists(view.mergedCycles), truncated, omitted };
  switch (view.granularity) {
    case 'module': {
      const { granularity, dependencies } = view;
      const known = new Map(model.modules.map(one => [one.id, one]));
      const modules = view.modules.map(one => ({ ...one, ...foundBy(known.get(one.id)!) }));
      const entrypoints = model.entrypoints.filter(({ path }) => isBelow(path, question.target));
      const { detectionMethod } = model;
      return { granularity, detectionMethod, modules, dependencies: [...dependencies], entrypoints, ...rest };
    }
    case 'directory': {
      const { granularity, directories, directoryDependencies } = view;
      return {
        ...{ granularity, detectionMethod: 'inferred', directories: [...directories] },
        ...{ directoryDependencies: [...directoryDependencies], ...rest },
      };
    }
    case 'file': {
      const { granularity, files, fileDependencies } = view;
      return {
        ...{ granularity, detectionMethod: 'imports', files: [...files] },
        ...{ fileDependencies: [...fileDependencies], ...rest },
      };
    }
  }
}

function foundBy({ detectedBy, manifest }: CodeModule) {
  return manifest === undefined ? { detectedBy } : { detectedBy, manifest };
}

interface Viewed {
  readonly view: View;
  readonly model: ModuleModel;
}

function viewOf({ of, input, graph: all, target }: Question, most: Bounds): Viewed {
  const { includeExternalDeps, inferModules, depth, granularity } = input;
  const options = { includeExternalDeps, target, most };
  const isFile = all.files.some(({ path }) => path === target);
  const model = of.modules({ inferModules, depth, base: isFile ? directoryOf(target) : target });
  const numbers = new Map(model.modules.map(({ id }, at) => [id, at]));
  const moduleOf = Int32Array.from(all.files, ({ path }) => numbers.get(model.moduleOf(path).id)!);
  const packageOf = (file: number): string => model.modules[moduleOf[file]!]!.packageId;
  // An index without source has no import by which a crate would be named.
  const graph = of.reader.identity === 'descriptor' ? all : withoutUnnamed(all, packageOf);
  const isWorkspace = (from: CodeModule, to: CodeModule): boolean => from.packageId !== to.packageId;
  switch (granularity) {
    case 'module': {
      const view = moduleView(graph, { modules: model.modules, moduleOf, isWorkspace }, options);
      return { view: { granularity, ...view }, model };
    }
    case 'directory':
      return { view: { granularity, ...directoryView(graph, { ...options, depth }) }, model };
    case 'file': {
      const moduleAt = (file: number): CodeModule => model.modules[moduleOf[file]!]!;
      const view = fileView(graph, {
        ...options,
        isWorkspace: (from, to) => isWorkspace(moduleAt(from), moduleAt(to)),
      });
      return { view: { granularity, ...view }, model };
    }
  }
}

/** Edges that can be told apart in a picture. */
const mostDrawnEdges = 120;
const all: Bounds = { nodes: Number.POSITIVE_INFINITY, edges: Number.POSITIVE_INFINITY };

function picture(question: Question, format: Exclude<Input['format'], 'json'>): string {
  const { of, input, target } = question;
  const what = { module: 'modules', directory: 'directories', file: 'files' }[input.granularity];
  const title = `${of.asked.repo.id}: ${what}${target === '' ? '' : ` in ${target}`}`;
  const whole = pictureOf(viewOf(question, all).view, title);
  const draw: Record<typeof format, (drawing: Drawing) => string> = { svg: svgOf, dot: dotOf, mermaid: mermaidOf };
  return draw[format](condense(whole, format === 'mermaid' ? mostMermaidEdges : mostDrawnEdges));
}
