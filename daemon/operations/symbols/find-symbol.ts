import { operand, quote } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import { Fault, type SuggestedFix } from '../../../client/protocol/faults.ts';
import type { Hit } from '../../analysis/best-hits.ts';
import { longName } from '../../analysis/long-name.ts';
import { closedAmong, type UnlistedPath } from '../../jobs/unlisted.ts';
import { symbolId } from '../../model/identity.ts';
import { unpackTraits } from '../../store/link-format.ts';
import { fix } from '../finding.ts';
import { aliased, type IsSame, type Meant, meantBy, mostLookedAt, type NamedTree } from './names.ts';
import type { CatalogueQuery } from './search-catalogue.ts';

/** The symbols that a name means; plain values, so that they cross from the read worker. */
export interface NamedSymbols {
  readonly total: number;
  /** Some that bear the name were not looked at. */
  readonly isPartial: boolean;
  /** The first of them, the likeliest first. */
  readonly candidates: readonly { readonly hash: string; readonly label: string }[];
}

export const noneNamed: NamedSymbols = { total: 0, isPartial: false, candidates: [] };

const candidatesShown = 20;

/**
 * The symbols that a name means, to the letter: `close`, narrowed by its containers (`Server.close`, `Server::close`), by
 * its file (`src/server.ts#close`, `server.ts:Server.close`) or by its module or package (`flask.app.Flask`,
 * `gin.Context.JSON`). The narrowest of these decides, unless it leads into tests alone. What nothing is defined as may be
 * exported as.
 */
export function symbolsNamed(tree: NamedTree, text: string): NamedSymbols {
  // Names may hold dots and hashes themselves (`#private`, `"a.b"`), so the whole text is tried first.
  const whole = bearersOf(tree, text);
  const found = whole.meant.length > 0 ? whole : narrowest(tree, text);
  const meant = withoutConstructors(found.meant, tree);
  const rows = tree.reader.rows(
    tree.catalogue,
    meant.slice(0, candidatesShown).map(({ hit }) => hit),
  );
  return {
    total: meant.length,
    isPartial: found.isPartial,
    candidates: rows.map(row => ({
      hash: row.hash,
      label: `${row.kind} ${[...row.containers, row.name].join('.')} ${row.path}:${row.nameRange.startLine + 1}`,
    })),
  };
}

/**
 * The hash of the one symbol that is meant. Throws the faults `symbolNotFound`, which says where it may be all the same, and
 * `ambiguous`, with the candidates as drilldowns.
 */
export function theOneNamed(
  { total, isPartial, candidates }: NamedSymbols,
  text: string,
  repo: string,
  unlisted: readonly UnlistedPath[] = [],
): string {
  const [first, second] = candidates;
  const suggestedFixes = [searchFor(text, repo)];
  if (first === undefined) {
    const among = isPartial
      ? 'None of the likeliest of very many symbols with that last word'
      : 'No symbol of this repository';
    const [closed, ...others] = closedAmong(unlisted);
    const more = others.length === 0 ? '' : ` and ${amount(others.length, 'more folder')}`;
    const unseen = closed === undefined ? '' : `; ${closed}${more} could not be looked into`;
    throw new Fault('symbolNotFound', `${among} is named ${JSON.stringify(text)}${unseen}`, {
      suggestedFixes,
      drilldowns: [
        {
          label: `Search for ${text}`,
          query: `/search?q=${encodeURIComponent(text)}&repo=${encodeURIComponent(repo)}`,
        },
      ],
    });
  }
  if (second === undefined) return first.hash;
  const narrowed = total > candidates.length ? `, of ${total}${isPartial ? ' and more' : ''}` : '';
  throw new Fault('ambiguous', `${JSON.stringify(text)} names several symbols${narrowed}; use an id or a longer name`, {
    details: { candidates: total },
    suggestedFixes,
    drilldowns: candidates.map(({ hash, label }) => ({
      label,
      query: `/symbol/${encodeURIComponent(symbolId(repo, hash))}`,
    })),
  });
}

interface Bearers {
  readonly meant: readonly Placed[];
  readonly isPartial: boolean;
}

type Placed = Pick<Meant, 'hit' | 'row'>;

function bearersOf(tree: NamedTree, name: string): Bearers {
  const hits = tree.searched.exact(queryFor(name), mostLookedAt).filter(isOf(name));
  return { meant: placed(tree, hits), isPartial: hits.length === mostLookedAt };
}

function placed({ reader, catalogue }: NamedTree, hits: readonly Hit[]): readonly Placed[] {
  const rows = reader.enclosed(catalogue, hits);
  return hits.map((hit, at) => ({ hit, row: rows[at]! }));
}

function queryFor(text: string): CatalogueQuery {
  return { text, kinds: undefined, scope: undefined };
}

const isEqual: IsSame = (a, b) => a === b;

function isOf(name: string): (hit: Hit) => boolean {
  return hit => hit.match === 'exact' && hit.name === name;
}

const ways = ['file', 'containers', 'place', 'base'] as const;

function narrowest(tree: NamedTree, text: string): Bearers {
  const long = longName(text);
  if (long.qualifier.length === 0) {
    const bare = bearersOf(tree, long.name);
    return bare.meant.length > 0 ? bare : { ...bare, meant: placed(tree, aliased(tree, queryFor(long.name), isEqual)) };
  }
  const { meant, unseenOf } = meantBy(tree, queryFor(long.name), long, isEqual);
  const isMeant = isOf(long.name);
  const groups = ways.map(way => meant.filter(({ by, hit }) => by === way && isMeant(hit)));
  const best =
    groups.find(group => group.some(({ hit }) => !isTest(tree, hit))) ?? groups.find(group => group.length > 0);
  return { meant: best ?? [], isPartial: unseenOf !== undefined };
}

function isTest({ catalogue }: NamedTree, { definition }: Hit): boolean {
  return catalogue.documents[catalogue.documentOf[definition]!]!.isTest;
}

/** Where a class is meant, its constructors of the same name are not; who means one says so: `Server.Server`. */
function withoutConstructors(found: readonly Placed[], { catalogue }: NamedTree): readonly Placed[] {
  const isConstructor = ({ hit }: Placed): boolean =>
    unpackTraits(catalogue.traits[hit.definition]!).kind === 'constructor';
  const others = new Set(
    found.filter(one => !isConstructor(one)).map(({ row, hit }) => [...row.containers, hit.name].join('\0')),
  );
  return found.filter(one => !isConstructor(one) || !others.has(one.row.containers.join('\0')));
}

/** Searches go by the bare name. */
function searchFor(text: string, repo: string): SuggestedFix {
  const command = `svc search --repo ${quote(repo)} ${operand(longName(text).name || text)}`;
  return fix(command, 'Show what bears such a name');
}
