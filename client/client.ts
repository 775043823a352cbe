import { packageVersion, placesOf, type Surroundings } from './paths.ts';
import type { Caller, CallOptions } from './protocol/caller.ts';
import type { CallInputOf, OutputOf } from './protocol/operation.ts';
import { type OperationName, type Operations, operationNames, operations } from './protocol/registry.ts';
import { type SocketCaller, socketCaller } from './socket.ts';
import { homeFolder } from './this-user.ts';

type GroupOf<Name extends string> = Name extends `${infer Group}.${string}` ? Group : never;
type VerbOf<Name extends string, Group extends string> = Name extends `${Group}.${infer Verb}` ? Verb : never;
type Ask<Name extends OperationName> = (
  input: CallInputOf<Operations[Name]>,
  options?: CallOptions,
) => Promise<OutputOf<Operations[Name]>>;

/** Every operation as a method, grouped as its name is: `client.symbols.search({ q: 'parse' })`. */
export type Client = {
  readonly [Group in GroupOf<OperationName>]: {
    readonly [Verb in VerbOf<OperationName, Group>]: Ask<`${Group}.${Verb}` & OperationName>;
  };
};

/** The typed client over anything that can be asked. Its methods reject with `Fault`. */
export function createClient(caller: Caller): Client {
  const groups: Record<string, Record<string, (input: never, options?: CallOptions) => Promise<unknown>>> = {};
  for (const name of operationNames) {
    const [group = '', verb = ''] = name.split('.');
    groups[group] ??= {};
    groups[group][verb] = (input, options) => caller.call(name, input, options);
  }
  // The loop made what the type says: one method for each name of the registry.
  return groups as unknown as Client;
}

export interface Connected {
  readonly client: Client;
  readonly caller: SocketCaller;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** How this program calls itself in the daemon's log. */
  readonly client?: string;
  /** The command that starts a daemon when none runs, such as `['svc', 'daemon', 'run', '--detached']`. Default: none is started. */
  readonly start?: readonly string[];
}

/** The running daemon of this user, as a typed client. Connects at the first call. Throws `unsafeOwner` where the folders can't be trusted. */
export function connect(options: ConnectOptions = {}): Connected {
  const surroundings = surroundingsOf(process.env);
  const caller = socketCaller({
    places: placesOf(surroundings),
    env: surroundings.env,
    client: options.client ?? 'library',
    version: packageVersion(surroundings.env),
    start: options.start === undefined ? { kind: 'never' } : { kind: 'command', argv: options.start },
    isRepeatable: name => operations[name].effect === 'read',
  });
  return { client: createClient(caller), caller, close: () => caller.close() };
}

function surroundingsOf(env: Surroundings['env']): Surroundings {
  return { env, uid: process.getuid?.() ?? 0, home: homeFolder(), temporary: '/tmp' };
}
