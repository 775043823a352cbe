import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProgram } from './find-program.ts';
import { type LspConnection, openLsp } from './lsp-connection.ts';
import type { LanguageServer } from './lsp-table.ts';
import { removeOwn, scratchIn } from './own-folder.ts';
import { programEnvironment } from './program-environment.ts';

export interface LspOptions {
  /** Those that are configured and those that may be found, in the order in which they are preferred. */
  readonly servers: () => readonly LanguageServer[];
  readonly environment: NodeJS.ProcessEnv;
  /** A folder of ours; what is made in it is removed again. */
  readonly scratchFolder: string;
  readonly nowMs: () => number;
}

export interface InstalledServer extends LanguageServer {
  readonly program: string;
}

/** What all processes of a server may have resident. */
export const serverBytes = 3 * 2 ** 30;

export function installed(options: LspOptions): readonly InstalledServer[] {
  return options.servers().flatMap(server => installedServer(server, options) ?? []);
}

/** Undefined where there is no such program. */
export function installedServer(server: LanguageServer, { environment }: LspOptions): InstalledServer | undefined {
  const [command = ''] = server.command;
  const places = { path: environment['PATH'] ?? '', packageFolders: [] };
  const found = findProgram({ configured: command, program: command }, places);
  return found === undefined ? undefined : { ...server, program: found.program };
}

/** The greeting. Rejects with `LspFailed`. */
export async function initialize(
  connection: LspConnection,
  folder: string,
  { options = {} }: LanguageServer,
  bounds: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<unknown> {
  const rootUri = pathToFileURL(folder).href;
  const answer = await connection.ask(
    'initialize',
    {
      processId: process.pid,
      clientInfo: { name: 'svc' },
      rootUri,
      rootPath: folder,
      initializationOptions: options,
      workspaceFolders: [{ uri: rootUri, name: 'root' }],
      capabilities: {
        general: { positionEncodings: ['utf-16'] },
        workspace: { configuration: true, workspaceFolders: true },
        textDocument: { references: {}, synchronization: {} },
        window: { workDoneProgress: true },
      },
    },
    bounds,
  );
  connection.tell('initialized', {});
  return answer;
}

/** One server with a folder of its own. */
export interface OpenedServer {
  readonly connection: LspConnection;
  readonly scratch: string;
  /** Where it stands. */
  readonly cwd: string;
}

/** Without a root it stands in an empty folder. */
export function open(server: InstalledServer, { environment, scratchFolder }: LspOptions, root?: string): OpenedServer {
  const scratch = scratchIn(scratchFolder, 'lsp-');
  try {
    const cwd = root ?? join(scratch, 'empty');
    if (root === undefined) mkdirSync(cwd);
    const env = programEnvironment({ from: environment, trusted: true, scratch, memoryBytes: serverBytes });
    const start = { program: server.program, arguments: server.command.slice(1), cwd, env };
    return { connection: openLsp(server.name, start), scratch, cwd };
  } catch (error) {
    removeScratch(scratch);
    throw error;
  }
}

/** Never rejects. */
export async function stop({ connection, scratch }: Omit<OpenedServer, 'cwd'>): Promise<void> {
  await connection.close();
  removeScratch(scratch);
}

function removeScratch(scratch: string): void {
  try {
    removeOwn(scratch);
  } catch {
    // What stays of it goes with the next start.
  }
}
