import { baseName } from '../../../../model/paths.ts';
import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { fullName } from './comparison.ts';
import { importIndex } from './imported.ts';
import { type ProtoSide, pathsOf, qualified, type TypeTable } from './types.ts';

/** Where another revision declares what a file did that it has no more. */
export interface NewHome {
  /** In order: one that has all of it, else the first of those that have each. */
  readonly paths: readonly string[];
  /** All that the file declared is found, and it declared something. */
  readonly isWhole: boolean;
  /** Imports of the file mean the one that has all of it now, as they are written. */
  readonly keepsImports: boolean;
}

/** Of files that declare all of it those go first that imports find as they are, that are called the same, that are new. */
export function newHomeOf({ side, contract }: TypeTable, after: ProtoSide): NewHome {
  const wanted = new Set(declaredIn(contract));
  const written = importsOf(side, after);
  const beginnings = beginningsOf(written.size > 0 ? written : byPackage(side.path, contract), side, after);
  const index = importIndex(after.files.keys());
  const homes = new Map<string, string>();
  const whole: (readonly [rank: number, path: string])[] = [];
  for (const path of [...after.files.keys()].sort()) {
    const found = new Set(declaredIn(after.files.get(path)!).filter(one => wanted.has(one)));
    for (const one of found) if (!homes.has(one)) homes.set(one, path);
    if (found.size < wanted.size || wanted.size === 0) continue;
    const isCalledSame = baseName(path) === baseName(side.path);
    const isFound = isCalledSame && [...written].every(one => index.filesOf(one).includes(path));
    const keepsImports = isFound && beginnings.length > 0 && beginnings.every(one => hasMoved(one, path));
    const rank = [!keepsImports, !isFound, !isCalledSame, side.files.has(path)];
    whole.push([rank.reduce((sum, isWorse) => 2 * sum + Number(isWorse), 0), path]);
  }
  const [best] = whole.sort(([a], [b]) => a - b);
  if (best !== undefined) return { paths: [best[1]], isWhole: true, keepsImports: best[0] < 8 };
  const isWhole = wanted.size > 0 && homes.size === wanted.size;
  return { paths: [...new Set(homes.values())].sort(), isWhole, keepsImports: false };
}

/** By full names, with what each is. */
function declaredIn(schema: ProtoSchema): readonly string[] {
  const { services, messages, enums, extensions } = schema;
  const named = (kind: string, name: string): string => `${kind} ${fullName(schema, name)}`;
  return [
    ...services.map(({ name }) => named('service', name)),
    ...messages.map(({ name }) => named('message', name)),
    ...enums.map(({ name }) => named('enum', name)),
    ...extensions.map(({ scope, name }) => named('extension', qualified(scope, name))),
  ];
}

/** What files of both revisions write that meant the file where it was. */
function importsOf(before: ProtoSide, after: ProtoSide): ReadonlySet<string> {
  const index = importIndex(before.files.keys());
  const written = new Set<string>();
  for (const { imports } of [...before.files.values(), ...after.files.values()])
    for (const { path } of imports) if (index.filesOf(path).includes(before.path)) written.add(path);
  return written;
}

/** What is written by custom: packages are folders. None where the file lies elsewhere. */
function byPackage(path: string, { package: name }: ProtoSchema): ReadonlySet<string> {
  const written = [...name.split('.').filter(part => part !== ''), baseName(path)].join('/');
  return new Set(endsIn(path, written) ? [written] : []);
}

function endsIn(path: string, written: string): boolean {
  return path === written || path.endsWith(`/${written}`);
}

/** The folder that an import of a file is looked for in: `proto/` of `proto/a/b.proto` that is imported as `a/b.proto`. */
interface Beginning {
  readonly written: string;
  readonly folder: string;
  /** The later revision has files below it; some of them were there before. */
  readonly isFilled: boolean;
  readonly isKept: boolean;
}

function beginningsOf(written: ReadonlySet<string>, before: ProtoSide, after: ProtoSide): readonly Beginning[] {
  const had = new Set(pathsOf(before));
  return [...written].map(one => {
    const folder = before.path.slice(0, -one.length);
    const below = pathsOf(after).filter(path => path.startsWith(folder));
    return { written: one, folder, isFilled: below.length > 0, isKept: below.some(path => had.has(path)) };
  });
}

/** Whether imports begin elsewhere now, and nowhere else: what lies in the new folder was moved with it, or is new. */
function hasMoved({ written, folder, isFilled, isKept }: Beginning, path: string): boolean {
  const now = path.slice(0, -written.length);
  if (!endsIn(path, written) || now.startsWith(folder)) return false;
  return folder.startsWith(now) ? !isKept : !isFilled;
}
