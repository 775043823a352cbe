import { basename } from 'node:path';

/**
 * Dies at a named place when `SVC_FAULT` says so, as `kill -9` would: `<place>[:<file name>][:<nth time>]`, e.g.
 * `before-rename:daemon.json` or `after-commit::3`. Tests of crash safety set it; otherwise it costs a comparison.
 */
export function failpoint(place: string, path = ''): void {
  const wanted = process.env['SVC_FAULT'];
  if (wanted === undefined || !wanted.startsWith(place)) return;
  const [name, file = '', nth = '1'] = wanted.split(':');
  if (name !== place || (file !== '' && file !== basename(path))) return;
  passed++;
  if (passed === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

let passed = 0;
