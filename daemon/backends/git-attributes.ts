import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutSettings } from './git-config.ts';
import { type Conversion, conversionOf, type PathAttributes } from './git-conversion.ts';
import { blobsOf, type ReadObjects, type TreeFile } from './git-head.ts';
import { type GitRun, streamGit } from './git-process.ts';

/** With what attributes are looked up. */
export interface AttributeTools {
  readonly settings: CheckoutSettings;
  readonly objects: ReadObjects;
  /** A run of git in the repository's shadow with the attributes of `settings`; it has no words yet. */
  readonly run: () => Promise<GitRun>;
}

/** The name under which a folder says what applies to the files below. */
export const attributesName = '.gitattributes';

/** Where attributes of a path may stand in its commit. */
export function attributeFilesOf(path: string): readonly string[] {
  const folders = path.split('/').slice(0, -1);
  return [attributesName, ...folders.map((_, at) => [...folders.slice(0, at + 1), attributesName].join('/'))];
}

/**
 * What git does to some files of a commit when it checks them out; those that stay as they are are left out. Mostly that is
 * told by there being nothing that speaks of it, and no process is started. `attributeFiles`: those of the commit that are
 * above the paths. No filter runs: that there is one is all that is told.
 */
export async function conversionsOf(
  tools: AttributeTools,
  attributeFiles: ReadonlyMap<string, TreeFile>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Conversion>> {
  const { settings } = tools;
  if (paths.length === 0) return new Map();
  const says = /crlf|ident|filter|working-tree-encoding/;
  if (!convertsAll(settings) && !(await isAnySaid(tools, attributeFiles, says))) return new Map();
  const attributes = await attributesOf(await tools.run(), attributeFiles, paths, conversionNames);
  const found = new Map<string, Conversion>();
  for (const [path, said] of attributes) {
    const conversion = conversionOf(said, settings);
    if (conversion !== undefined) found.set(path, conversion);
  }
  return found;
}

/** Which files count as text (`set`) or as binary (`unset`) in a diff, whatever they hold; all others are left out. */
export async function diffAttributesOf(
  tools: AttributeTools,
  attributeFiles: ReadonlyMap<string, TreeFile>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, 'set' | 'unset'>> {
  if (paths.length === 0 || !(await isAnySaid(tools, attributeFiles, /diff|binary/))) return new Map();
  const attributes = await attributesOf(await tools.run(), attributeFiles, paths, ['diff']);
  const said = [...attributes].map(([path, { diff }]) => [path, diff] as const);
  return new Map(said.filter((one): one is [string, 'set' | 'unset'] => one[1] === 'set' || one[1] === 'unset'));
}

/** Whether any of what may speak of files has such a word in it. */
async function isAnySaid(
  { settings, objects }: AttributeTools,
  attributeFiles: ReadonlyMap<string, TreeFile>,
  words: RegExp,
): Promise<boolean> {
  if (words.test(settings.userAttributes + settings.ownAttributes)) return true;
  const hashes = regularOnes(attributeFiles).map(([, { hash }]) => hash);
  const said = await blobsOf(objects, [...new Set(hashes)], attributeLimits);
  return [...said.values()].some(blob => blob.kind === 'large' || words.test(blob.bytes.toString('latin1')));
}

function regularOnes(files: ReadonlyMap<string, TreeFile>): readonly (readonly [string, TreeFile])[] {
  return [...files].filter(([, { mode }]) => mode.startsWith('100'));
}

/** git reads no longer ones. */
const attributeLimits = { eachBytes: 1024 * 1024, allBytes: 256 * 1024 * 1024 };

/** Whether files are converted that have no attributes, or none but `text`. */
function convertsAll({ autocrlf, eol }: CheckoutSettings): boolean {
  return autocrlf === 'true' || eol === 'crlf' || process.platform === 'win32';
}

const conversionNames = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'] as const;
conversionNames satisfies readonly (keyof PathAttributes)[];

/** git matches patterns: the attributes' own files are all that its index has then. */
async function attributesOf<Name extends string>(
  run: GitRun,
  attributeFiles: ReadonlyMap<string, TreeFile>,
  paths: readonly string[],
  names: readonly Name[],
): Promise<ReadonlyMap<string, Readonly<Record<Name, string>>>> {
  const index = join(run.cwd, `attributes-${randomBytes(6).toString('hex')}`);
  const env = { ...run.env, GIT_INDEX_FILE: index };
  const ask = (words: readonly string[], lines: readonly string[]) =>
    text({ ...run, env, arguments: [...run.arguments, ...words], input: lines.map(line => `${line}\0`).join('') });
  try {
    const listed = regularOnes(attributeFiles).map(([path, { mode, hash }]) => `${mode} ${hash} 0\t${path}`);
    await ask(['update-index', '-z', '--index-info'], listed);
    return parsed(await ask(['check-attr', '--cached', '-z', '--stdin', ...names], paths), names);
  } finally {
    rmSync(index, { force: true });
  }
}

async function text(run: GitRun): Promise<string> {
  const chunks: Buffer[] = [];
  await streamGit(run, chunk => chunks.push(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Path, attribute and value of each, all ended by NUL. */
function parsed<Name extends string>(
  answer: string,
  names: readonly Name[],
): ReadonlyMap<string, Readonly<Record<Name, string>>> {
  const parts = answer.split('\0');
  const found = new Map<string, Readonly<Record<Name, string>>>();
  for (let at = 0; at + 2 < parts.length; at += 3 * names.length) {
    const values = names.map((name, nth) => [name, parts[at + 3 * nth + 2] ?? 'unspecified']);
    found.set(parts[at]!, Object.fromEntries(values) as Record<Name, string>);
  }
  return found;
}
