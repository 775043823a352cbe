import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutSettings } from './git-config.ts';
import { type Conversion, conversionOf, type PathAttributes } from './git-conversion.ts';
import type { Dialogue } from './git-dialogue.ts';
import { blobsOf, type ReadObjects } from './git-objects.ts';
import { type GitRun, type Leash, streamGit } from './git-process.ts';
import type { TreeFile } from './git-trees.ts';

/** With what attributes are looked up. */
export interface AttributeTools {
  readonly settings: CheckoutSettings;
  readonly objects: ReadObjects;
  /** A run of git in the repository's shadow with the attributes of `settings`; it has no words yet. */
  readonly run: () => Promise<GitRun>;
  /** Holds a dialogue with a process that stays for as long as `basis` is the same. */
  readonly hold: (run: GitRun, basis: string, dialogue: Dialogue) => Promise<void>;
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
  const attributes = await attributesOf(tools, attributeFiles, paths);
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
  const attributes = await attributesOf(tools, attributeFiles, paths);
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

const attributeNames = ['text', 'crlf', 'eol', 'ident', 'filter', 'working-tree-encoding', 'diff'] as const;
attributeNames satisfies readonly (keyof PathAttributes | 'diff')[];
type Attributes = Readonly<Record<(typeof attributeNames)[number], string>>;

/** git matches patterns. */
async function attributesOf(
  { run: begin, hold, settings }: AttributeTools,
  attributeFiles: ReadonlyMap<string, TreeFile>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const run = await begin();
  const index = await indexOf(run, attributeFiles);
  const asking = {
    ...run,
    env: { ...run.env, GIT_INDEX_FILE: index, GIT_FLUSH: '1' }, // each answer when it is known
    arguments: [...run.arguments, 'check-attr', '--cached', '-z', '--stdin', ...attributeNames],
  };
  const dialogue = new AttributesDialogue(paths);
  await hold(asking, digestOf(index, settings.userAttributes, settings.ownAttributes), dialogue);
  return dialogue.found;
}

const keptMs = 24 * 3600_000;

/** An index in which the attributes' own files are all that there is. git reads it when it starts. */
async function indexOf(run: GitRun, attributeFiles: ReadonlyMap<string, TreeFile>): Promise<string> {
  const entries = regularOnes(attributeFiles).map(([path, { mode, hash }]) => `${mode} ${hash} 0\t${path}\0`);
  const index = join(run.cwd, `${indexPrefix}${digestOf(...entries)}`);
  // One that is not there is as good as one that is empty.
  if (entries.length === 0 || existsSync(index)) return index;
  sweep(run.cwd);
  const fresh = `${index}.${randomBytes(6).toString('hex')}`;
  const words = [...run.arguments, 'update-index', '-z', '--index-info'];
  const env = { ...run.env, GIT_INDEX_FILE: fresh };
  try {
    await streamGit({ ...run, env, arguments: words, input: entries.join('') }, () => {});
    renameSync(fresh, index);
  } finally {
    rmSync(fresh, { force: true });
  }
  return index;
}

const indexPrefix = 'attributes-';

/** Indexes of attributes that have changed since; whoever needs one still makes it again. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(indexPrefix)) continue;
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > keptMs) rmSync(join(folder, name), { force: true });
  }
}

function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 24);
}

/** Paths are named, and of each every attribute is told: path, name and value, all ended by NUL. */
class AttributesDialogue implements Dialogue {
  readonly found = new Map<string, Attributes>();
  readonly #paths: readonly string[];
  #left = 0;
  #parts: string[] = [];
  #cut: Buffer = Buffer.alloc(0);

  constructor(paths: readonly string[]) {
    this.#paths = [...new Set(paths)];
  }

  get answered(): number {
    return this.found.size;
  }

  question(): string | undefined {
    this.#parts = [];
    this.#cut = Buffer.alloc(0);
    const left = this.#paths.filter(path => !this.found.has(path));
    this.#left = left.length;
    return left.length === 0 ? undefined : left.map(path => `${path}\0`).join('');
  }

  hear(chunk: Buffer, leash: Leash): 'more' | 'answered' {
    leash.count(chunk.length);
    const told = this.#cut.length === 0 ? chunk : Buffer.concat([this.#cut, chunk]);
    const end = told.lastIndexOf(0) + 1;
    this.#cut = told.subarray(end);
    if (end > 0) this.#parts.push(...told.toString('utf8', 0, end - 1).split('\0'));
    const each = 3 * attributeNames.length;
    const whole = this.#parts.length - (this.#parts.length % each);
    for (let at = 0; at < whole; at += each) {
      const values = attributeNames.map((name, nth) => [name, this.#parts[at + 3 * nth + 2]]);
      this.found.set(this.#parts[at]!, Object.fromEntries(values) as Attributes);
      this.#left--;
    }
    this.#parts = this.#parts.slice(whole);
    return this.#left > 0 ? 'more' : 'answered';
  }
}
