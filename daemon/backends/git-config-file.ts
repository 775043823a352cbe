import { lstatSync, statSync } from 'node:fs';
import { readSmallFile } from './git-repository.ts';

/** Single files of git's configuration, read as data: git parses each, nothing in it is in force, and it includes nothing. */

/** Key (its section and last part in lower case) and value of each line, in order. A key without a value is `true`. */
export type ConfigLines = readonly (readonly [key: string, value: string])[];

/** A file of the user's may be a link to another, one of a repository's may not. */
export type Links = 'follow' | 'refuse links';

/** All lines of a file; none where there is none. Rejects where git can't parse it. */
export type ReadConfig = (file: string, links: Links, signal: AbortSignal | undefined) => Promise<ConfigLines>;

export function lastOf(lines: ConfigLines, key: string): string | undefined {
  return lines.findLast(line => line[0] === key)?.[1];
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[+-]?0*[1-9]\d*[kmg]?)$/i.test(value);
}

export const largestConfig = 1024 * 1024;
const mostRemembered = 1000;

/** Remembers what a file says for as long as it stays the same. `ask` runs git without a repository. */
export function rememberConfig(
  ask: (args: readonly string[], signal: AbortSignal | undefined) => Promise<string>,
): ReadConfig {
  const known = new Map<string, { readonly print: string; readonly lines: ConfigLines }>();
  return async (file, links, signal) => {
    const print = printOf(file, links);
    const last = known.get(file);
    if (last?.print === print) return last.lines;
    const asking = ['config', '--file', file, '--no-includes', '-z', '--list'];
    const lines = print !== '' && mayTell(file) ? parseConfig(await ask(asking, signal)) : [];
    if (known.size >= mostRemembered) known.clear();
    known.set(file, { print, lines });
    return lines;
  };
}

/** Most files say nothing that is ever asked here, and name no others: for these no process is started. */
function mayTell(file: string): boolean {
  const text = readSmallFile(file);
  return text === undefined || askedOf.test(text);
}

const askedOf =
  /excludesfile|ignorecase|worktreeconfig|objectformat|include|autocrlf|eol|attributesfile|smudge|process|promisor|partialclone/i;

/** A newline ends a key that has a value, NUL the line. */
function parseConfig(listed: string): ConfigLines {
  return listed
    .split('\0')
    .slice(0, -1)
    .map(line => {
      const end = line.indexOf('\n');
      return end < 0 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)];
    });
}

/** '' for what is no file to read. */
export function printOf(file: string, links: Links): string {
  const stat = links === 'refuse links' ? lstatSync(file, quietly) : statSync(file, quietly);
  if (stat?.isFile() !== true || stat.size > largestConfig) return '';
  return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

const quietly = { bigint: true, throwIfNoEntry: false } as const;
