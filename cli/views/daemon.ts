import { pairs, rows, type Views } from './view.ts';

/** Repositories and settings. */
export const daemonViews: Views = {
  'daemon.status': ({ pid, version, uptime, socketPath, http, httpProblem, listeners, repos, jobs, uploads, memory }) =>
    pairs([
      ['daemon', `pid ${pid}, version ${version}, up ${uptime}`],
      ['socket', socketPath],
      ['http', http === null ? (httpProblem ?? 'off') : `http://${http.host}:${http.port}`],
      ['listeners', listeners.map(one => `${one.host}:${one.port} (${one.repo ?? 'any repository'})`).join(', ')],
      ['repositories', repos.map(({ id, status }) => `${id} (${status})`).join(', ')],
      ['jobs', `${jobs.running} running, ${jobs.queued} queued`],
      ['uploads', uploads === 0 ? '' : String(uploads)],
      ['memory', `${Math.round(memory.rssBytes / 1_000_000)} MB resident`],
    ]),
  'daemon.listRepos': ({ repos }) =>
    rows(
      ['id', 'status', 'symbols', 'files', 'watching', 'root'],
      repos.map(repo => [
        repo.isDefault ? `${repo.id} *` : repo.id,
        repo.pendingChanges > 0 ? `${repo.status}, ${repo.pendingChanges} pending` : repo.status,
        String(repo.symbolCount),
        String(repo.fileCount),
        repo.watching,
        repo.root === '' ? `(${repo.source})` : repo.root,
      ]),
      repos.length === 0 ? ['No repository is registered yet: svc repo add'] : [],
      ['watching', 'files', 'symbols'],
    ),
  'daemon.defaultRepo': ({ id, configured }) => ({
    kind: 'text',
    text: `${id ?? 'none'}${configured ? ' (default_repo in the configuration)' : ''}\n`,
  }),
  'daemon.addRepo': ({ repo, created, jobId }) =>
    pairs([
      [created ? 'registered' : 'known', `${repo.id} (${repo.root})`],
      ['job', jobId ?? ''],
    ]),
  'daemon.config': ({ values, warnings }) =>
    rows(
      ['key', 'value', 'change', 'origin'],
      values.map(({ key, value, change, origin }) => [key, JSON.stringify(value) ?? '', change, origin ?? '']),
      warnings,
    ),
};
