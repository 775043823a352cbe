import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { absoluteFolders } from './find-program.ts';
import { runMark } from './run-processes.ts';

/** What tool chains are told by, and nothing that is a secret of ours or of the user's shell. */
const ofToolChains = [
  'HOME',
  'USER',
  'LOGNAME',
  'JAVA_HOME',
  'GOPATH',
  'GOROOT',
  'GOCACHE',
  'GOMODCACHE',
  'GOPROXY',
  'GOFLAGS',
  'GOPRIVATE',
  'GOTOOLCHAIN',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'RUSTUP_TOOLCHAIN',
  'DOTNET_ROOT',
  'NUGET_PACKAGES',
  'GEM_HOME',
  'GEM_PATH',
  'COMPOSER_HOME',
  'PUB_CACHE',
  'GRADLE_USER_HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
] as const;

export interface ProgramEnvironment {
  readonly from: NodeJS.ProcessEnv;
  /** Whether the repository's own tools may be found and run. */
  readonly trusted: boolean;
  /** A folder of ours: home of a program that gets no other, and where it may leave temporary files. */
  readonly scratch: string;
  readonly memoryBytes: number;
  /** Before all others on PATH, for trusted ones. */
  readonly pathFirst?: readonly string[];
}

/**
 * All that a program gets of an environment. Without trust its PATH leads to node alone, for it may be a script: what it
 * would look for and run beside (python, pip, git) may be a shim that heeds files of the folder it is run in.
 */
export function programEnvironment(wanted: ProgramEnvironment): NodeJS.ProcessEnv {
  const { from, trusted, scratch, memoryBytes, pathFirst = [] } = wanted;
  const common = {
    LC_ALL: 'C.UTF-8',
    TMPDIR: scratch,
    [runMark]: scratch,
    NODE_OPTIONS: `--max-old-space-size=${Math.floor((memoryBytes * 0.9) / 2 ** 20)}`,
    GRADLE_OPTS: '-Dorg.gradle.daemon=false',
    CARGO_TARGET_DIR: `${scratch}/target`,
    DOTNET_CLI_TELEMETRY_OPTOUT: '1',
    MSBUILDDISABLENODEREUSE: '1',
  };
  if (!trusted) return { ...common, PATH: nodeAlone(scratch), HOME: scratch };
  const kept = Object.fromEntries(ofToolChains.flatMap(name => (from[name] === undefined ? [] : [[name, from[name]]])));
  const path = [...pathFirst, ...absoluteFolders(from['PATH'] ?? '/usr/local/bin:/usr/bin:/bin')];
  return { ...kept, ...common, PATH: path.join(':') };
}

/** A folder that has `node` and nothing else. */
function nodeAlone(scratch: string): string {
  const folder = join(scratch, 'bin');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const node = join(folder, 'node');
  if (!existsSync(node)) symlinkSync(process.execPath, node);
  return folder;
}
