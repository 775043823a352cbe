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
  const { settings, objects } = tools;
  const regular = [...attributeFiles].filter(([, { mode }]) => mode.startsWith('100'));
  if (paths.length === 0) return new Map();
  if (!convertsAll(settings) && !mayConvert(settings.userAttributes + settings.ownAttributes)) {
    const said = await blobsOf(objects, [...new Set(regular.map(([, { hash }]) => hash))], attributeLimits);
    if (![...said.values()].some(blob => blob.kind === 'large' || mayConvert(blob.bytes.toString('latin1')))) {
      return new Map();
    }
  }
  const attributes = await attributesOf(await tools.run(), regular, paths);
  const found = new Map<string, Conversion>();
  for (const [path, said] of attributes) {
    const conversion = conversionOf(said, settings);
    if (conversion !== undefined) found.set(path, conversion);
  }
  return found;
}

/** git reads no longer ones. */
const attributeLimits = { eachBytes: 1024 * 1024, allBytes: 256 * 1024 * 1024 };

/** Whether files are converted that have no attributes, or none but `text`. */
function convertsAll({ autocrlf, eol }: CheckoutSettings): boolean {
  return autocrlf === 'true' || eol === 'crlf' || process.platform === 'win32';
}

function mayConvert(attributes: string): boolean {
  return /crlf|ident|filter|working-tree-encoding/.test(attributes);
}

const names = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding'] as const;

/** git matches patterns: the attributes' own files are all that its index has then. */
async function attributesOf(
  run: GitRun,
  attributeFiles: readonly (readonly [path: string, file: TreeFile])[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, PathAttributes>> {
  const index = join(run.cwd, `attributes-${randomBytes(6).toString('hex')}`);
  const env = { ...run.env, GIT_INDEX_FILE: index };
  const ask = (words: readonly string[], lines: readonly string[]) =>
    text({ ...run, env, arguments: [...run.arguments, ...words], input: lines.map(line => `${line}\0`).join('') });
  try {
    const listed = attributeFiles.map(([path, { mode, hash }]) => `${mode} ${hash} 0\t${path}`);
    await ask(['update-index', '-z', '--index-info'], listed);
    return parsed(await ask(['check-attr', '--cached', '-z', '--stdin', ...names], paths));
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
function parsed(answer: string): ReadonlyMap<string, PathAttributes> {
  const parts = answer.split('\0');
  const found = new Map<string, PathAttributes>();
  for (let at = 0; at + 2 < parts.length; at += 3 * names.length) {
    const values = names.map((name, nth) => [name, parts[at + 3 * nth + 2] ?? 'unspecified']);
    found.set(parts[at]!, Object.fromEntries(values) as PathAttributes);
  }
  return found;
}
