import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** What to start: a program with the arguments that come before all others. */
export interface FoundProgram {
  /** Absolute. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Where the package says so; else the program must be asked. */
  readonly version: string | undefined;
}

export interface WantedProgram {
  /** What the configuration names; '' where it names nothing. Then nothing else is looked for. */
  readonly configured: string;
  readonly program: string;
  readonly npm?: { readonly package: string; readonly script: string } | undefined;
}

export interface ProgramPlaces {
  /** PATH; folders that are not absolute count for nothing. */
  readonly path: string;
  /** Folders with a `node_modules`, in which packages are looked for after PATH. */
  readonly packageFolders: readonly string[];
}

/** By the configuration, then PATH, then an npm package; undefined where there is none. */
export function findProgram(wanted: WantedProgram, places: ProgramPlaces): FoundProgram | undefined {
  const { configured, program, npm } = wanted;
  if (configured !== '') {
    const place = isAbsolute(configured) ? [configured] : onPath(configured, places.path);
    return asFound(place.find(isExecutable));
  }
  const found = asFound(onPath(program, places.path).find(isExecutable));
  return found ?? (npm === undefined ? undefined : inPackages(npm, places.packageFolders));
}

/** The absolute folders of a PATH. */
export function absoluteFolders(path: string): readonly string[] {
  return path.split(delimiter).filter(isAbsolute);
}

function onPath(program: string, path: string): readonly string[] {
  return program.includes('/') ? [] : absoluteFolders(path).map(folder => join(folder, program));
}

function asFound(program: string | undefined): FoundProgram | undefined {
  return program === undefined ? undefined : { program, arguments: [], version: undefined };
}

/** Node runs the script: its `#!` line would take whatever PATH has as node. */
function inPackages(
  { package: name, script }: NonNullable<WantedProgram['npm']>,
  folders: readonly string[],
): FoundProgram | undefined {
  for (const folder of folders) {
    try {
      const manifest = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
      const file = join(dirname(manifest), script);
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string };
      return { program: process.execPath, arguments: [file], version };
    } catch {} // not there
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
