import type { MountedDocument } from '../model/document.ts';
import { type Handed, type Offers, offersBehind } from './barrels.ts';
import { type Cells, type CellTable, tableIn } from './cells.ts';
import type { Manifest } from './manifest.ts';
import { either, optionsOf } from './options.ts';
import { exportKey, handedKey, handersKey } from './questions.ts';
import type { Questions } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import { isSame } from './same.ts';
import { surfaceOf } from './surface.ts';
import type { Value } from './values.ts';

/** What the files of a manifest export. */
export interface Exports {
  /** What a file exports under a name, itself or by way of others. */
  of(path: string, name: string): Value | undefined;
  /** `module.exports = x`, `export = x`: what requiring the module gives. */
  whole(path: string): Value | undefined;
  /** Whether no file that one hands on exports a name; undefined where not all of them are known by their paths. */
  lacksBehind(path: string, name: string): boolean | undefined;
  /** Asks on a document's behalf what it asks because others look through it. */
  askAsHander(document: MountedDocument): void;
}

export function createExports(
  manifest: Manifest,
  cells: Cells<Value, MountedDocument>,
  questions: Questions,
  evaluate: (document: MountedDocument, index: number) => Value | undefined,
): Exports {
  const handed = new Map<string, Handed | undefined>();
  const offers = new Map<string, Offers | undefined>();

  const tables = new Map<string, CellTable<Value>>();
  const of = (path: string, name: string): Value | undefined =>
    cells.get(tableIn(tables, path), name, () => {
      // A namespace package of Python is a module without a file.
      const language = manifest.document(path)?.facts.language ?? (path.endsWith('/__init__.py') ? 'python' : '');
      const { submodule, namesMayClash } = resolverFor(language);
      let found: Value | undefined;
      for (const one of given(path, name, namesMayClash === true)) {
        if (found !== undefined && !isSame(found, one)) return undefined;
        found ??= one;
        if (!namesMayClash) break;
      }
      return found ?? submodule?.(questions, path, name);
    });

  /** What stands for a name in the file itself, else in those that it exports wholesale, in their order. */
  function* given(path: string, name: string, isClashing: boolean): Generator<Value> {
    const offered = name === 'default' || name === '=' ? undefined : behind(path);
    const files = offered?.names.get(name) ?? [];
    // Where several files clash, what lies behind one that has the name is out of sight.
    if (offered === undefined || (isClashing && files.length > 1)) return yield* walked(path, name);
    const found = own(path, name);
    if (found !== undefined) return yield found;
    askBehind(path, name, true);
    for (const at of files) {
      const found = own(at, name);
      if (found !== undefined) yield found;
    }
  }

  function* walked(path: string, name: string): Generator<Value> {
    const seen = new Set<string>();
    const pending = [path];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const found = at === path || manifest.exports(at, name) ? own(at, name) : undefined;
      if (found !== undefined) {
        yield found;
        continue;
      }
      if (name === 'default' || name === '=') continue;
      const modules = handedOn(at);
      if (at === path) askBehind(path, name, modules.length > 0);
      pending.push(...modules.toReversed());
    }
  }

  const own = (path: string, name: string): Value | undefined => {
    cells.ask(exportKey(path, name), path);
    const document = manifest.document(path);
    if (document === undefined) return undefined;
    const found = surfaceOf(document.facts).exports.get(name);
    return found === undefined ? undefined : either(found.map(index => evaluate(document, index)));
  };

  /** Stands for what all files behind a module say of a name, and for which files these are. */
  const askBehind = (path: string, name: string, isBarrel: boolean): void => {
    cells.ask(handedKey(path, '*'));
    if (isBarrel) cells.ask(handedKey(path, name));
  };

  /** Files that a file exports wholesale. */
  const handedOn = (path: string): readonly string[] =>
    handedByName(path)?.files ?? evaluatedModules(manifest.document(path)!);

  /**
   * The same, as far as who looks through the file need not know by what they were found; undefined where one of them
   * assigns all that it is, for that may be anything.
   */
  const handedByName = (path: string): Handed | undefined => {
    if (handed.has(path)) return handed.get(path);
    const document = manifest.exports(path, '*') ? manifest.document(path) : undefined;
    if (document === undefined) return nothingHanded;
    const found = cells.apart(() => handedIn(document));
    const isEvaluated = found.files.some(one => manifest.exports(one, '='));
    handed.set(path, isEvaluated ? undefined : found);
    return isEvaluated ? undefined : found;
  };

  const behind = (path: string): Offers | undefined => {
    if (!manifest.exports(path, '*')) return undefined;
    if (offers.has(path)) return offers.get(path);
    const found = offersBehind(path, { manifest, handedBy: handedByName });
    offers.set(path, found);
    return found;
  };

  const handedIn = (document: MountedDocument): Handed => {
    const { imports, expressions, language } = document.facts;
    const modules = surfaceOf(document.facts).wholesale.map(index => {
      const one = expressions[index]!;
      return one.op === 'import' ? resolverFor(language).module(questions, document, imports[one.import]!) : undefined;
    });
    return {
      files: modules.flatMap(one => (one?.kind === 'module' ? [one.path] : [])),
      areAll: modules.every(one => one?.kind === 'module' || one?.kind === 'external'),
    };
  };

  const lacksBehind = (path: string, name: string): boolean | undefined => {
    const offered = behind(path);
    if (offered?.areAll !== true) return undefined;
    askBehind(path, name, true);
    return !offered.names.has(name);
  };

  const evaluatedModules = (document: MountedDocument): readonly string[] =>
    surfaceOf(document.facts).wholesale.flatMap(index =>
      optionsOf(evaluate(document, index)).flatMap(one => (one.kind === 'module' ? [one.path] : [])),
    );

  const askAsHander = (document: MountedDocument): void => {
    for (const path of handedIn(document).files) cells.ask(handersKey(path));
    for (const path of evaluatedModules(document)) cells.ask(handersKey(path));
  };

  return { of, whole: path => of(path, '='), lacksBehind, askAsHander };
}

const nothingHanded: Handed = { files: [], areAll: true };
