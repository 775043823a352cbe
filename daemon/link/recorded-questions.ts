import { type Configuration, configurationOf, linkingPart } from '../model/configuration.ts';
import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { RepoPath } from '../model/paths.ts';
import type { QuestionKey } from '../model/question.ts';
import type { Cells, CellTable } from './cells.ts';
import type { Definitions } from './definitions.ts';
import type { Manifest } from './manifest.ts';
import {
  configKey,
  documentsKey,
  existsKey,
  exportKey,
  filesKey,
  globalsKey,
  isAboutPlaces,
  namedKey,
  scopesKey,
} from './questions.ts';
import type { Questions } from './resolver.ts';
import { surfaceOf } from './surface.ts';
import type { Value } from './values.ts';

const ofCsharp = 'csharp:' as ScopeKey;

/** The manifest as resolvers see it: each look is recorded. */
export function recordedQuestions(
  manifest: Manifest,
  cells: Cells<Value, MountedDocument>,
  definitions: Definitions,
): Questions {
  const record = (question: QuestionKey): void => cells.ask(question);
  const found: CellTable<Value> = new Map();
  const shared: CellTable<object> = new Map();
  let globals: readonly RepoPath[] | undefined;
  const lasting = { results: manifest.places, isLasting: isAboutPlaces };
  const parsed = new Map<string, Configuration | undefined>();
  const configurationAt = (path: string): Configuration | undefined => {
    if (parsed.has(path)) return parsed.get(path);
    const facts = manifest.document(path)?.facts;
    const value = facts && linkingPart(configurationOf(facts));
    parsed.set(path, value);
    return value;
  };
  return {
    exists(path) {
      record(existsKey(path));
      return manifest.has(path);
    },
    filesIn(directory) {
      record(filesKey(directory));
      return manifest.filesIn(directory);
    },
    filesNamed(name) {
      record(namedKey(name));
      return manifest.filesNamed(name);
    },
    wholesale(path) {
      cells.ask(exportKey(path, '*'), path);
      const document = manifest.document(path);
      if (document === undefined) return [];
      const { expressions, imports } = document.facts;
      return surfaceOf(document.facts).wholesale.flatMap(index => {
        const one = expressions[index]!;
        return one.op === 'import' ? [imports[one.import]!] : [];
      });
    },
    globalsBelow(directory) {
      record(globalsKey(directory));
      globals ??= manifest.documentsOf(ofCsharp).filter(path => manifest.exports(path, '*'));
      return directory === '' ? globals : globals.filter(path => path.startsWith(`${directory}/`));
    },
    exportsNamed(path, name) {
      cells.ask(exportKey(path, name), path);
      const document = manifest.document(path);
      const of = document && surfaceOf(document.facts).exports.get(name);
      return of && { document, of };
    },
    documentsOf(scope) {
      record(documentsKey(scope));
      return manifest.documentsOf(scope);
    },
    scopesIn(directory) {
      record(scopesKey(directory));
      const scopes = manifest.filesIn(directory).flatMap(path => manifest.document(path)?.scope ?? []);
      return [...new Set(scopes)].sort();
    },
    configuration(path) {
      record(configKey(path));
      return configurationAt(path);
    },
    definition: definitions.named,
    isNamed: definitions.isNamed,
    heirsOf: definitions.heirsOf,
    methodsNamed: definitions.methodsNamed,
    once: (key, find) => cells.get(found, key, find),
    // Cells look into no result, so they hold those of any kind.
    shared: <T extends object>(key: string, find: () => T | undefined) =>
      (cells as unknown as Cells<T, MountedDocument>).get(shared as unknown as CellTable<T>, key, find),
    onceOfPlaces: (key, find) => cells.getLasting(found, key, lasting, find),
  };
}
