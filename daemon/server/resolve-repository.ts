import { quote } from '../../client/paths.ts';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { type GivenSymbol, symbolIdsIn } from '../../client/protocol/symbol-fields.ts';
import { fix } from '../operations/finding.ts';
import { registrationAround, unknownRepository } from '../operations/repository-faults.ts';
import { idsOf, type ServedRepository } from '../operations/served-repository.ts';
import type { DispatchRequest } from './dispatch.ts';
import type { Repositories } from './repositories.ts';

const symbolIdPattern = /^svc:(.+):sym:[0-9a-f]{32}$/s;

type Asking = Pick<DispatchRequest, 'defaultRepo' | 'directory' | 'otherRepos'>;

/**
 * The repository that a request means: the one named, the one of its symbol ids, the listener's, the caller's folder's, the
 * default, the only one. Throws `invalidParameter` where two sources disagree or none decides, `resourceNotFound` for a
 * name that nothing bears.
 */
export function resolveRepository(
  repositories: Repositories,
  request: Asking,
  named: string | undefined,
  input: Readonly<Record<string, unknown>>,
): ServedRepository {
  refuseDisagreement(repositories, request, named);
  return meant(repositories, request, named, input);
}

/** The same for an operation that stands alone; undefined where no registered repository is meant. A wrong id is still a fault. */
export function resolveIfAny(...asked: Parameters<typeof resolveRepository>): ServedRepository | undefined {
  const [repositories, request, named] = asked;
  refuseDisagreement(repositories, request, named);
  try {
    return meant(...asked);
  } catch (error) {
    if (error instanceof Fault && (named === undefined || named.startsWith('/'))) return undefined;
    throw error;
  }
}

/** Several names may mean one repository: its id, its root, a folder inside. */
function refuseDisagreement(repositories: Repositories, { otherRepos = [] }: Asking, named: string | undefined): void {
  const first = named === undefined ? undefined : find(repositories, named);
  for (const { place, name } of otherRepos) {
    const other = typeof name === 'string' ? find(repositories, name) : undefined;
    if (other === undefined || other !== first) {
      throw disagree(`says ${JSON.stringify(named)}, and ${place} does not name the same repository`);
    }
  }
}

function meant(
  repositories: Repositories,
  request: Asking,
  named: string | undefined,
  input: Readonly<Record<string, unknown>>,
): ServedRepository {
  const byName = named === undefined ? undefined : lookUp(repositories, named);
  const bySymbol = ofSymbols(repositories, symbolIdsIn(input));
  if (byName !== undefined && bySymbol !== undefined && byName !== bySymbol) {
    throw disagree(`says ${byName.record.id}, the symbol id ${bySymbol.record.id}`);
  }
  const found =
    byName ??
    bySymbol ??
    (request.defaultRepo === undefined ? undefined : lookUp(repositories, request.defaultRepo)) ??
    (request.directory === undefined ? undefined : repositories.containing(request.directory));
  if (found !== undefined) return found;
  const byDefault = repositories.defaultId();
  if (byDefault !== undefined) return find(repositories, byDefault) ?? unknownDefault(repositories, byDefault);
  const [only, ...others] = repositories.list();
  if (only !== undefined && others.length === 0) return only;
  throw request.directory === undefined
    ? undecided(idsOf(repositories))
    : outside(request.directory, idsOf(repositories));
}

/** The repository of all the symbols that an input names by id; undefined where it names none so. */
function ofSymbols(repositories: Repositories, symbols: readonly GivenSymbol[]): ServedRepository | undefined {
  const [first, ...others] = symbols.map(one => ({ ...one, repo: lookUp(repositories, repositoryOf(one)) }));
  const stray = others.find(({ repo }) => repo !== first?.repo);
  if (first === undefined || stray === undefined) return first?.repo;
  const message = `is a symbol of ${stray.repo.record.id}, and ${first.field} is one of ${first.repo.record.id}`;
  throw invalid('invalidParameter', [{ path: stray.field, message }]);
}

/** A fault names so many of the repositories that could be meant. */
const choices = 5;

function undecided(ids: readonly string[]): Fault {
  const message =
    ids.length === 0
      ? 'no repository is registered: svc repo add, in one'
      : `which one is meant? Registered are ${ids.join(', ')}`;
  const { message: told, extras } = invalid('invalidParameter', [{ path: 'repo', message }]);
  return new Fault('invalidParameter', told, { ...extras, ...waysOn(ids) });
}

function outside(folder: string, ids: readonly string[]): Fault {
  const add = registrationAround(folder);
  const hint =
    add === undefined && ids.length > 0 ? ': name one with --repo' : add?.why === undefined ? '' : `: ${add.why}`;
  return new Fault('resourceNotFound', `${folder} lies in no registered repository${hint}`, {
    details: { registered: ids },
    suggestedFixes: [...(add?.fixes ?? []), ...waysOn(ids).suggestedFixes],
  });
}

/** Which there are, and how to say which one is meant from now on: a choice, so that no script makes it. */
function waysOn(ids: readonly string[]) {
  const some = ids.slice(0, choices);
  return {
    suggestedFixes: [
      fix('svc repo list', 'Show which repositories are registered'),
      ...some.map(id => fix(`svc repo default ${quote(id)}`, `Mean ${id} where none is named`, false)),
    ],
    drilldowns: some.map(id => ({ label: `Ask about ${id}`, query: `/status?repo=${encodeURIComponent(id)}` })),
  };
}

/** The repository that a symbol id names. */
function repositoryOf({ field, id }: GivenSymbol): string {
  const repo = symbolIdPattern.exec(id)?.[1];
  if (repo !== undefined) return repo;
  throw invalid('invalidParameter', [{ path: field, message: 'must be a symbol id, svc:<repo>:sym:<32 hex digits>' }]);
}

/** By id, by root path, or by a path inside. */
function find(repositories: Repositories, name: string): ServedRepository | undefined {
  const byId = repositories.get(name);
  if (byId !== undefined || !name.startsWith('/')) return byId;
  return repositories.at(name) ?? repositories.containing(name);
}

function lookUp(repositories: Repositories, name: string): ServedRepository {
  const found = find(repositories, name);
  if (found === undefined) throw unknownRepository(name, idsOf(repositories));
  return found;
}

/** Only the configuration can name one that is not registered. */
function unknownDefault(repositories: Repositories, name: string): never {
  const { message, extras } = unknownRepository(name, idsOf(repositories));
  throw new Fault('resourceNotFound', `${message}, which default_repo names in the configuration`, extras);
}

function disagree(message: string) {
  return invalid('invalidParameter', [{ path: 'repo', message }]);
}
