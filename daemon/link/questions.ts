import { sayTheSame } from '../model/configuration.ts';
import type { MountedDocument } from '../model/document.ts';
import type { DocumentFacts } from '../model/facts.ts';
import { packageOfScope, scopeOfTail } from '../model/mount.ts';
import { baseName, directoryOf } from '../model/paths.ts';
import type { QuestionKey } from '../model/question.ts';
import { sharedNamesOf } from './shared-names.ts';
import { portable, type Surface, shared, surfaceOf } from './surface.ts';

/** Is there a file at that path? */
export function existsKey(path: string): QuestionKey {
  return `exists\0${path}` as QuestionKey;
}

/** Which files are directly in that directory? */
export function filesKey(directory: string): QuestionKey {
  return `files\0${directory}` as QuestionKey;
}

/** Which files have that name? */
export function namedKey(name: string): QuestionKey {
  return `named\0${name}` as QuestionKey;
}

/** Which documents have that scope? */
export function documentsKey(scope: string): QuestionKey {
  return `documents\0${scope}` as QuestionKey;
}

/** Which scopes do the documents directly in that directory have? */
export function scopesKey(directory: string): QuestionKey {
  return `scopes\0${directory}` as QuestionKey;
}

/** What does the configuration file at that path say? */
export function configKey(path: string): QuestionKey {
  return `config\0${path}` as QuestionKey;
}

/** What does the document export under that name (`*`: what does it export wholesale)? */
export function exportKey(path: string, name: string): QuestionKey {
  return `export\0${path}\0${name}` as QuestionKey;
}

/**
 * Which of the files that a module hands on wholesale, at whatever distance, export that name (`*`: which files are they)?
 * One question for all of them: who looks through a barrel would else ask each of a hundred files about each name.
 */
export function handedKey(path: string, name: string): QuestionKey {
  return `handed\0${path}\0${name}` as QuestionKey;
}

/** Asked by those that hand on all of a module: what reaches those who ask through them, see `touched.ts`. */
export function handersKey(path: string): QuestionKey {
  return `handers\0${path}` as QuestionKey;
}

/** Which files of C# at or below that directory use something for all of their project? */
export function globalsKey(directory: string): QuestionKey {
  return `globals\0${directory}` as QuestionKey;
}

/** Whether the answer decides which file something leads to. */
export function isAboutPlaces(key: QuestionKey): boolean {
  return places.test(key);
}

const places = /^(?:exists|files|named|documents|scopes|config)\0/;

/** Which definitions of that name stand directly in a container (its tail; '' is the scope itself), and what are they? */
export function memberKey(scope: string, container: string, name: string): QuestionKey {
  return `member\0${scope}\0${container}\0${name}` as QuestionKey;
}

/** Does anything of that scope bear the name? */
export function nameKey(scope: string, name: string): QuestionKey {
  return `name\0${scope}\0${name}` as QuestionKey;
}

/** Which methods of that scope bear the name? */
export function methodsKey(scope: string, name: string): QuestionKey {
  return `methods\0${scope}\0${name}` as QuestionKey;
}

/** What is built from something of that name in that scope? */
export function heirsKey(scope: string, name: string): QuestionKey {
  return `heirs\0${scope}\0${name}` as QuestionKey;
}

const silent = { configuration: '' };

/**
 * Every question whose answer may differ because one document changed from `before` to `after`; undefined where the path
 * is absent or was not parsed. `pathAppearedOrVanished` is the path if the file itself came or went, else undefined.
 */
export function* touchedQuestions(
  before: MountedDocument | undefined,
  after: MountedDocument | undefined,
  pathAppearedOrVanished: string | undefined,
): Iterable<QuestionKey> {
  if (pathAppearedOrVanished !== undefined) {
    yield existsKey(pathAppearedOrVanished);
    yield filesKey(directoryOf(pathAppearedOrVanished));
    yield namedKey(baseName(pathAppearedOrVanished));
  }
  if (before?.scope !== after?.scope) {
    yield scopesKey(directoryOf((after ?? before)!.path));
    for (const one of [before, after]) {
      if (one === undefined) continue;
      yield documentsKey(one.scope);
      yield documentsKey(packageOfScope(one.scope));
    }
  }
  if (!sayTheSame(before?.facts ?? silent, after?.facts ?? silent)) {
    yield configKey((after ?? before)!.path);
  }
  if (before?.scope === after?.scope && before?.facts === after?.facts) return;
  yield* touchedExports(before, after);
  if (usesForAll(before) !== usesForAll(after)) yield* globalsAround((after ?? before)!.path);
  yield* touchedMembers(before, after);
  for (const one of [before, after]) if (one !== undefined) yield* touchedNames(one.scope, before, after);
}

/**
 * Of what a document hands to those that hand on all of it, as far as it changed: names that it began or ceased to export,
 * and `*` where it hands on other files itself.
 */
export function touchedOffers(before: MountedDocument | undefined, after: MountedDocument | undefined): Set<string> {
  const old = before && surfaceOf(before.facts);
  const now = after && surfaceOf(after.facts);
  const names = unionOfKeys(old?.exports, now?.exports);
  for (const name of names) if (old?.exports.has(name) === now?.exports.has(name)) names.delete(name);
  // A module that is assigned as a whole may be another file.
  const isAssigned = exportAnswer(before?.facts, old, '=') !== exportAnswer(after?.facts, now, '=');
  if (isAssigned || wholesaleAnswer(before?.facts, old) !== wholesaleAnswer(after?.facts, now)) names.add('*');
  return names;
}

/** Whether a file says `global using`. */
function usesForAll(document: MountedDocument | undefined): boolean {
  return document?.facts.language === 'csharp' && surfaceOf(document.facts).wholesale.length > 0;
}

function* globalsAround(path: string): Iterable<QuestionKey> {
  for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
    yield globalsKey(directory);
    if (directory === '') return;
  }
}

function* touchedExports(before?: MountedDocument, after?: MountedDocument): Iterable<QuestionKey> {
  const path = (after ?? before)!.path;
  const old = before && surfaceOf(before.facts);
  const now = after && surfaceOf(after.facts);
  for (const name of unionOfKeys(old?.exports, now?.exports)) {
    if (exportAnswer(before?.facts, old, name) !== exportAnswer(after?.facts, now, name)) yield exportKey(path, name);
  }
  if (wholesaleAnswer(before?.facts, old) !== wholesaleAnswer(after?.facts, now)) yield exportKey(path, '*');
}

function* touchedMembers(before?: MountedDocument, after?: MountedDocument): Iterable<QuestionKey> {
  const old = before && surfaceOf(before.facts);
  const now = after && surfaceOf(after.facts);
  const moved = before?.scope !== after?.scope;
  for (const key of unionOfKeys(old?.members, now?.members)) {
    if (!moved && memberAnswer(before?.facts, old, key) === memberAnswer(after?.facts, now, key)) continue;
    const [container, name] = key.split('\0') as [string, string];
    if (before !== undefined && old?.members.has(key)) yield* memberKeys(before, container, name);
    if (after !== undefined && (moved || !old?.members.has(key)) && now?.members.has(key)) {
      yield* memberKeys(after, container, name);
    }
  }
}

/** What is asked by whoever looks for definitions of a document by their names, as far as these are some alone. */
export function* questionsFor(document: MountedDocument, isMeant: (slot: number) => boolean): Iterable<QuestionKey> {
  for (const [key, slots] of surfaceOf(document.facts).members) {
    const [container, name] = key.split('\0') as [string, string];
    if (slots.some(isMeant)) yield* memberKeys(document, container, name);
  }
}

/** What is private to a file is asked for by the file, and by all that it shares its scope with. */
function* memberKeys(document: MountedDocument, container: string, name: string): Iterable<QuestionKey> {
  const scope = scopeOfTail(document, container);
  yield memberKey(scope, container, name);
  if (scope !== document.scope) yield memberKey(document.scope, container, name);
  const inPackage = container === '' || container === shared ? packageOfScope(document.scope) : '';
  if (inPackage !== '') yield memberKey(inPackage, container, name);
}

/** What either says of the scope, the other not, or otherwise. */
function* touchedNames(scope: string, before?: MountedDocument, after?: MountedDocument): Iterable<QuestionKey> {
  const [old, now] = [before, after].map(one => (one?.scope === scope ? sharedNamesOf(one.facts) : undefined));
  for (const name of new Set([...(old?.names ?? []), ...(now?.names ?? [])])) {
    if (old?.names.has(name) !== now?.names.has(name)) yield nameKey(scope, name);
  }
  for (const name of unionOfKeys(old?.methods, now?.methods)) {
    if (String(old?.methods.get(name)) !== String(now?.methods.get(name))) yield methodsKey(scope, name);
  }
  for (const name of unionOfKeys(old?.heirs, now?.heirs)) {
    if (String(old?.heirs.get(name)) !== String(now?.heirs.get(name))) yield heirsKey(scope, name);
  }
}

function exportAnswer(facts: DocumentFacts | undefined, surface: Surface | undefined, name: string): string {
  return (surface?.exports.get(name) ?? []).map(of => portable(facts!, of)).join('\n');
}

function wholesaleAnswer(facts: DocumentFacts | undefined, surface: Surface | undefined): string {
  return (surface?.wholesale ?? [])
    .map(of => {
      const one = facts!.expressions[of]!;
      return `${portable(facts!, of)} ${one.op === 'import' ? facts!.imports[one.import]!.local : ''}`;
    })
    .join('\n');
}

/** All that evaluation reads of a definition: identity, kind, who may name it, order of sites, type and base types. Positions and texts are no part. */
function memberAnswer(facts: DocumentFacts | undefined, surface: Surface | undefined, key: string): string {
  const slots = surface?.members.get(key) ?? [];
  return slots
    .map(slot => {
      const { tail, kind, visibility, exported, condition, type, supers } = facts!.definitions[slot]!;
      const bases = supers.map(one => portable(facts!, one));
      return JSON.stringify([
        tail,
        kind,
        visibility,
        exported,
        condition,
        type < 0 ? '' : portable(facts!, type),
        bases,
      ]);
    })
    .join('\n');
}

function unionOfKeys(a?: ReadonlyMap<string, unknown>, b?: ReadonlyMap<string, unknown>): Set<string> {
  return new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])]);
}
