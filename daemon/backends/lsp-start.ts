import { pathToFileURL } from 'node:url';
import { findProgram } from './find-program.ts';
import { type LspConnection, openLsp } from './lsp-connection.ts';
import type { LanguageServer } from './lsp-table.ts';
import { scratchIn } from './own-folder.ts';
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

export function open(
  server: InstalledServer,
  cwd: string,
  scratch: string,
  { environment }: LspOptions,
): LspConnection {
  const env = programEnvironment({ from: environment, trusted: true, scratch, memoryBytes: serverBytes });
  return openLsp(server.name, { program: server.program, arguments: server.command.slice(1), cwd, env });
}

/** A folder for one server, which is removed with it. */
export function scratchOf({ scratchFolder }: LspOptions): string {
  return scratchIn(scratchFolder, 'lsp-');
}
