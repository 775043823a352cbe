import { quote } from '../../client/paths.ts';
import { Fault, type SuggestedFix } from '../../client/protocol/faults.ts';
import { symbolId } from '../model/identity.ts';
import type { IndexReader } from '../store/index-reader.ts';
import type { StoredSnapshot } from '../store/publication.ts';
import type { SymbolRow } from '../store/symbol-rows.ts';
import { fix } from './finding.ts';

const candidatesLookedAt = 1_000;
const candidatesShown = 20;

/**
 * The one symbol that a name means: `close`, narrowed by its containers (`Server.close`, `Server::close`), by its file
 * (`src/server.ts#close`, `server.ts:Server.close`) or, where no container is called so, by its module or package
 * (`flask.app.Flask`, `gin.Context.JSON`). Throws the faults `symbolNotFound` and `ambiguous`, the latter with
 * the candidates as drilldowns.
 */
export function symbolNamed(
  reader: IndexReader,
  repo: { readonly id: string; readonly key: string },
  snapshot: StoredSnapshot,
  text: string,
): SymbolRow {
  const found = candidates(reader, repo.key, snapshot.seq, text);
  const [first, second] = found;
  if (first === undefined) {
    throw new Fault('symbolNotFound', `No symbol of this repository is named ${JSON.stringify(text)}`, {
      suggestedFixes: [searchFor(text, repo.id)],
      drilldowns: [
        {
          label: `Search for ${text}`,
          query: `/search?q=${encodeURIComponent(text)}&repo=${encodeURIComponent(repo.id)}`,
        },
      ],
    });
  }
  if (second === undefined) return first;
  const narrowed = found.length > candidatesShown ? `, of ${found.length}` : '';
  throw new Fault('ambiguous', `${JSON.stringify(text)} names several symbols${narrowed}; use an id or a longer name`, {
    details: { candidates: found.length },
    suggestedFixes: [searchFor(text, repo.id)],
    drilldowns: found.slice(0, candidatesShown).map(row => ({
      label: `${row.kind} ${[...row.containers, row.name].join('.')} ${row.path}:${row.nameRange.startLine + 1}`,
      query: `/symbol/${encodeURIComponent(symbolId(repo.id, row.hash))}`,
    })),
  });
}

/** Searches go by the bare name. */
function searchFor(text: string, repo: string): SuggestedFix {
  const name = quote(text.split(/[.#]|::/).findLast(word => word !== '') ?? text);
  const command = `svc search --repo ${quote(repo)} ${name.startsWith('-') ? '-- ' : ''}${name}`;
  return fix(command, 'Show what bears such a name');
}

function candidates(reader: IndexReader, key: string, seq: number, text: string): readonly SymbolRow[] {
  const named = (name: string) => reader.symbolsNamed(key, seq, name, candidatesLookedAt);
  // Names may hold dots and hashes themselves (`#private`, `"a.b"`), so the whole text is tried first.
  const whole = named(text);
  if (whole.length > 0) return whole;
  const long = longName(text);
  return narrowed(named(long.name), long, (a, b) => a === b);
}

/** A name with what narrows it. */
export interface LongName {
  readonly name: string;
  /** A path or the end of one, in whole segments; undefined: any. */
  readonly path: string | undefined;
  /** The innermost enclosing definitions, outermost first. */
  readonly containers: readonly string[];
}

/** Takes `path#Container.name`, `path.ts:name` and `Container::name` apart; a plain name has neither. */
export function longName(text: string): LongName {
  const [, path, rest = text] = /^(.+)#(.*)$/s.exec(text) ?? /^(.+\.\w+):(?!:)(.*)$/s.exec(text) ?? [];
  const words = rest.split(/\.|::/);
  return { name: words.at(-1) ?? '', path, containers: words.slice(0, -1) };
}

type Enclosed = Pick<SymbolRow, 'path' | 'containers'>;

/** Those of one name that are where the words around it say. Containers are compared by `isSame`, modules to the letter. */
export function narrowed<Row extends Enclosed>(
  rows: readonly Row[],
  { path, containers }: LongName,
  isSame: (a: string, b: string) => boolean,
): readonly Row[] {
  const inFile = rows.filter(row => isAt(row.path, path));
  const inside = inFile.filter(row => endsIn(row.containers, containers, isSame));
  if (inside.length > 0 || path !== undefined) return inside;
  return inFile.filter(row => placesOf(row).some(place => endsIn(place, containers, (a, b) => a === b)));
}

function endsIn(all: readonly string[], last: readonly string[], isSame: (a: string, b: string) => boolean): boolean {
  return all.length >= last.length && last.every((word, at) => isSame(all[all.length - last.length + at]!, word));
}

/** What stands around a definition from the root on, where files are modules and where folders are packages. */
function placesOf({ path, containers }: Enclosed): readonly (readonly string[])[] {
  const folders = path.split('/');
  const module = folders.pop()!.replace(/\.[^.]*$/, '');
  return [
    [...folders, module, ...containers],
    [...folders, ...containers],
  ];
}

export function isAt(file: string, path: string | undefined): boolean {
  return path === undefined || file === path || file.endsWith(`/${path}`);
}
