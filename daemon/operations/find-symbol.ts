import { quote } from '../../client/paths.ts';
import { Fault, type SuggestedFix } from '../../client/protocol/faults.ts';
import { fittingOf, longName, type PackageNames } from '../analysis/long-name.ts';
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
  const found = withoutConstructors(candidates(reader, repo.key, snapshot.seq, text));
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

/** Where a class is meant, its constructors of the same name are not; who means one says so: `Server.Server`. */
function withoutConstructors(found: readonly SymbolRow[]): readonly SymbolRow[] {
  const nameOf = (containers: readonly string[], ...name: readonly string[]) => [...containers, ...name].join('\0');
  const others = new Set(
    found.filter(({ kind }) => kind !== 'constructor').map(({ containers, name }) => nameOf(containers, name)),
  );
  return found.filter(({ kind, containers }) => kind !== 'constructor' || !others.has(nameOf(containers)));
}

/** Searches go by the bare name. */
function searchFor(text: string, repo: string): SuggestedFix {
  const name = quote(longName(text).name || text);
  const command = `svc search --repo ${quote(repo)} ${name.startsWith('-') ? '-- ' : ''}${name}`;
  return fix(command, 'Show what bears such a name');
}

const noPackages: PackageNames = new Map();

function candidates(reader: IndexReader, key: string, seq: number, text: string): readonly SymbolRow[] {
  const named = (name: string) => reader.symbolsNamed(key, seq, name, candidatesLookedAt);
  // Names may hold dots and hashes themselves (`#private`, `"a.b"`), so the whole text is tried first.
  const whole = named(text);
  if (whole.length > 0) return whole;
  const long = longName(text);
  const rows = named(long.name);
  const { isInFile, isInside, isUnder } = fittingOf(long, (a, b) => a === b);
  for (const isMeant of [isInFile, isInside, (row: SymbolRow) => isUnder(row, noPackages)]) {
    const meant = rows.filter(isMeant);
    if (meant.length > 0) return meant;
  }
  return [];
}
