import { operand, quote } from '../../../client/paths.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import { closedWay } from '../../../watch/file-system.ts';
import { digitsOf, mayBeDecision } from '../../extract/decisions/file-name.ts';
import { withoutZeros } from '../../extract/decisions/title.ts';
import type { UnreadFile } from '../../jobs/decisions/decision-files.ts';
import type { Decision } from '../../jobs/decisions/decisions.ts';
import { wayInto } from '../../jobs/way-in.ts';
import { numberedId } from '../../model/decision.ts';
import { baseName } from '../../model/paths.ts';
import type { RepositoryRecord } from '../../model/repository.ts';
import { fix } from '../finding.ts';

/**
 * The decision that a text means: by its path, its id in any spelling (`ADR-012`, `adr-12`, `12`), the end of its path, the
 * beginning of its id, or its id without its category. Throws `resourceNotFound`, also where it may be what can’t be read, and
 * `ambiguous` where several are meant.
 */
export function decisionNamed(
  asked: string,
  decisions: readonly Decision[],
  repo: Pick<RepositoryRecord, 'id' | 'root'>,
  unread: readonly UnreadFile[],
): Decision {
  const text = asked.trim().replace(/^\.\//, '');
  const id = idOf(text).toLowerCase();
  const ways: readonly ((decision: Decision) => boolean)[] = [
    ({ file }) => file.path === text,
    decision => decision.id.toLowerCase() === id,
    ({ file }) => [text, `${text}.md`].some(end => file.path.endsWith(`/${end}`)),
    decision => decision.id.toLowerCase().startsWith(`${id}-`),
    decision => decision.id.toLowerCase().endsWith(id.replace(/^adr-/, '/')),
  ];
  for (const way of ways) {
    const found = decisions.filter(way);
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw severalFit(asked, found, repo.id);
  }
  const meant = unread.find(
    ({ path }) =>
      [`/${text}`, `/${text}.md`].some(end => `/${path}`.endsWith(end)) ||
      idByName(path) === id.replace(/^adr-.*\//, 'adr-'),
  );
  throw meant === undefined ? unknown(asked, decisions, repo.id, unread) : notRead(meant, repo.root);
}

/** `ADR-012` of whatever names a number, `ADR-backend/012` behind a category; else the text, with `ADR-` before it. */
function idOf(text: string): string {
  const [, category, digits] = /^(?:adr[-_ #]?)?((?:[^/]+\/)*)(?:adr[-_ #]?)?(\d{1,40})$/i.exec(text) ?? [];
  if (digits !== undefined) return numberedId(withoutZeros(digits), category);
  return /^adr-/i.test(text) ? text : `ADR-${text}`;
}

const mostNamed = 5;

function severalFit(asked: string, found: readonly Decision[], repo: string): Fault {
  const some = found.slice(0, mostNamed);
  return new Fault('ambiguous', `${JSON.stringify(asked)} fits ${found.length} decisions`, {
    details: { paths: found.slice(0, 100).map(({ file }) => file.path) },
    suggestedFixes: some.map(({ file, title }) => fix(showing(file.path, repo), title)),
    drilldowns: some.map(({ file, title }) => ({
      label: title,
      query: `/decisions/${file.path.split('/').map(encodeURIComponent).join('/')}?repo=${encodeURIComponent(repo)}`,
    })),
  });
}

/** The id of one whose file has a number in its name, as far as that tells. */
function idByName(path: string): string | undefined {
  const digits = digitsOf(baseName(path));
  return digits === undefined ? undefined : numberedId(withoutZeros(digits)).toLowerCase();
}

function notRead({ path, code, message }: UnreadFile, root: string): Fault {
  const file = `${root}/${path}`;
  const way = code === 'unreadable' ? closedWay(file) : undefined;
  const { why, fixes } = way === undefined ? { why: '', fixes: [] } : wayInto(way, root);
  return new Fault('resourceNotFound', `${path} ${message}${why === '' ? '' : `: ${why}`}`, {
    details: { path },
    suggestedFixes: fixes,
  });
}

/** In a folder that is closed there may be one. */
function unknown(asked: string, decisions: readonly Decision[], repo: string, unread: readonly UnreadFile[]): Fault {
  const closed = unread.filter(({ path, code }) => code === 'unreadable' && !mayBeDecision(baseName(path)));
  const ids = decisions.map(({ id }) => id);
  const meant = nearest(idOf(asked.trim()), ids);
  const none = `There is no decision ${JSON.stringify(asked.slice(0, 100))}`;
  const message =
    closed.length === 0
      ? none
      : `${none} that can be read (${closed.map(({ path, message }) => `${path}: ${message}`).join('; ')})`;
  return new Fault('resourceNotFound', meant === undefined ? message : `${message}; did you mean ${meant}?`, {
    details: { id: asked.slice(0, 100) },
    suggestedFixes: [fix(`svc decisions --repo ${quote(repo)}`, 'Show which decisions there are')],
  });
}

function showing(path: string, repo: string): string {
  return `svc decisions show --repo ${quote(repo)} ${operand(path)}`;
}
