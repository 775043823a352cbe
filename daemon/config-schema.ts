import type { Static, TEnum, TSchema } from 'typebox';
import { Type } from '../client/protocol/schemas.ts';
import { indexServerExample } from './index-server-schema.ts';
import { type IndexerName, indexerNames } from './indexer-names.ts';
import { mostPeople, mostTeams, problemOfPerson, problemOfTeam } from './model/owner-tables.ts';
import { defaultBots } from './model/people.ts';

/** The configuration, once: keys as they stand in `config.toml`, defaults and bounds inside, units in the names. */

const kib = 1024;
const mib = 1024 * kib;

const Count = (fallback: number, description: string, minimum = 1, maximum = 2 ** 40) =>
  Type.Integer({ default: fallback, minimum, maximum, description });
const Bytes = (fallback: number, description: string) => Count(fallback, `${description}, in bytes`, 1024);
const Seconds = (fallback: number, description: string, maximum = 86_400) =>
  Count(fallback, `${description}, in seconds`, 1, maximum);
const Switch = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description });
const Text = (fallback: string, description: string) => Type.String({ default: fallback, description });
/** Tables by name, which are one key together: `problem` says what is wrong with one, or nothing. */
const Tables = <Row extends TSchema>(
  row: Row,
  description: string,
  problem: (name: string, table: unknown) => string,
  most = 100,
) => Type.Record(Type.String(), row, { default: {}, description, maxProperties: most, [problemOfTable]: problem });
const problemOfTable = 'x-problem-of-table';
/** What workers were made with: a change waits for the next start. */
const AtStart = <Schema extends TSchema>(schema: Schema): Schema => Object.assign(schema, { [atStart]: true });
const atStart = 'x-at-start';
const Choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  fallback: Values[number],
  description: string,
): TEnum<[...Values]> =>
  Type.Enum<[...Values]>(values as unknown as [...Values], {
    default: fallback,
    description: `${description}: ${values.join(', ')}`,
  });

const configSchema = Type.Object({
  default_repo: Text('', 'Repository id that answers when a request names none and nothing else decides'),
  freshness_minutes: Count(1440, 'An index older than this many minutes counts as stale', 1, 5_256_000),
  idle_exit_minutes: Count(
    30,
    'An auto-started daemon that watches no repository leaves after this many idle minutes; 0: never',
    0,
    525_600,
  ),
  http: Type.Object({
    enabled: Switch(true, 'Listen for HTTP on this address'),
    host: Type.String({
      ...{ default: 'localhost', minLength: 1 },
      description: 'Address to bind; one that is not loopback needs auth.enabled and http.allowed_hosts',
    }),
    port: Count(9120, 'Port; 0 takes a free one', 0, 65_535),
    allowed_hosts: Type.Array(Type.String({ minLength: 1, format: 'host' }), {
      default: [],
      description: 'Names that a Host header may bear beside loopback names and the bound address',
    }),
  }),
  auth: Type.Object({
    enabled: Switch(true, 'Every HTTP request must bear the daemon token'),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the user writes
        examples: ['${SVC_DAEMON_TOKEN}'],
        description:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what the user writes
          'The token; ${NAME} takes it from the environment. Without this key one is made and kept in the state folder',
      }),
    ),
  }),
  watch: Type.Object({
    backend: AtStart(Choice(['auto', 'native', 'chokidar', 'polling'], 'auto', 'How directories are watched')),
  }),
  index: Type.Object({
    background_indexers: Switch(
      true,
      'Indexers that write SCIP run by themselves after changes; else svc index runs them',
    ),
    quiet_seconds: Seconds(20, 'Time without a change in a repository before they run'),
    indexer_seconds: Seconds(1800, 'Longest run of an indexer'),
    indexer_memory_bytes: Bytes(4096 * mib, 'Most memory of an indexer'),
    use_indexers: Type.Array(Type.Enum<IndexerName[]>([...indexerNames]), {
      default: [...indexerNames],
      description: 'Indexers that may run, by themselves or by svc index',
    }),
    indexers: Tables(
      Type.Object({ path: Type.String({ minLength: 1 }) }),
      `Where indexers are, as in [index.indexers.scip-go] path = "/opt/scip-go"; else they are looked for on PATH: ${indexerNames.join(', ')}`,
      (name, table) =>
        !indexerNames.some(one => one === name)
          ? `${name} is no indexer that is known: ${indexerNames.join(', ')}`
          : isRecord(table) && hasOnly(table, ['path']) && isText(table['path'])
            ? ''
            : `${name} must be a table with a path`,
    ),
  }),
  hotspots: Type.Object({
    churn_half: Count(8, 'Commits in 30 days with which a file has half of the score that churn can give', 1, 100_000),
    authors_half: Count(3, 'The same of authors beside the first', 1, 100_000),
    coupling_half: Count(5, 'The same of files that change together with it', 1, 100_000),
    cyclomatic_half: Count(100, 'The same of cyclomatic complexity, of all functions of the file together', 1, 100_000),
  }),
  lsp: Type.Object({
    enabled: Switch(true, 'Language servers that are found on PATH are used for references (merge=union)'),
    servers: Tables(
      Type.Object({ command: Type.Array(Type.String()), languages: Type.Array(Type.String()) }),
      'Language servers beside those, as in [lsp.servers.mine] command = ["mine", "--stdio"], languages = ["go"]',
      (name, table) =>
        isRecord(table) &&
        hasOnly(table, ['command', 'languages']) &&
        isTexts(table['command']) &&
        isTexts(table['languages'])
          ? ''
          : `${name} must be a table with a command and languages, lists of texts`,
    ),
  }),
  history: Type.Object({
    most_commits: Count(1_000_000, 'Most commits of a history that are read, the newest first', 1, 10_000_000),
    background_blame: Switch(
      true,
      'Who wrote the lines of files that commits change is found out by itself, at rest; of others when it is asked for',
    ),
    bots: Type.Array(Type.String({ minLength: 1 }), {
      default: [...defaultBots],
      description:
        'Names and addresses of authors whose commits nobody has written, all of them: a list of yours takes the place of this one; * is any text, case makes no difference',
    }),
  }),
  ownership: Type.Object({
    teams: Tables(
      Type.Object({ members: Type.Array(Type.String()) }),
      'Who is in teams that CODEOWNERS files name, as in [ownership.teams."@org/team"] members = ["@alice", "bob@example.com"]',
      problemOfTeam,
      mostTeams,
    ),
    people: Tables(
      Type.Object({ emails: Type.Array(Type.String()) }),
      'All addresses that people commit under, as in [ownership.people."@alice"] emails = ["alice@example.com"]: nobody else is guessed to be @alice',
      problemOfPerson,
      mostPeople,
    ),
  }),
  telemetry: Type.Object({
    enabled: Switch(
      true,
      'Take in what OpenTelemetry exporters and collectors send of calls; nothing is sent anywhere from here',
    ),
    services: Tables(
      Type.Object({ repo: Type.String(), path: Type.Optional(Type.String()) }),
      'Which repository services are of, by name or pattern (* is any text), and below which of its folders, as in [telemetry.services."checkout-*"] repo = "shop", path = "services/checkout"; one that is called as a repository needs none',
      problemOfService,
      1000,
    ),
    retention_days: Count(400, 'Days of calls that are kept', 1, 3650),
    most_functions: Count(
      200_000,
      'Most observed functions that are kept; of more, those go first that match no symbol and were called least',
      100,
    ),
    exclude_paths: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Files whose functions are never told to be dead code, as in ["src/generated/**", "scripts/*"]',
    }),
    exclude_names: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Functions that never are, as in ["on*", "Migration.*"]: their names, or with those of what they stand in',
    }),
  }),
  decisions: Type.Object({
    folder: Text(
      '',
      'Folder of decision records from a repository’s root, where its .adr-dir names none; else the one in its .svc.toml, else the first usual one that is there',
    ),
  }),
  log: Type.Object({
    level: Choice(['debug', 'info', 'warn', 'error'], 'info', 'What is logged'),
    file_bytes: Bytes(10 * mib, 'A log file that grew to this size is rotated'),
    files: Count(5, 'Log files kept, the current one included', 1, 100),
  }),
  limits: Type.Object({
    query_seconds: Seconds(30, 'Longest query'),
    job_wait_seconds: Seconds(600, 'Longest wait of a request for its job, unless it is told how far the job is'),
    drain_seconds: Seconds(10, 'Longest wait for active requests when the daemon stops'),
    header_seconds: Seconds(10, 'Longest wait for a request to arrive whole'),
    half_open_seconds: Seconds(60, 'A connection with an unfinished frame, or half closed, is cut after this'),
    answer_bytes: Bytes(16 * mib, 'Largest answer'),
    body_bytes: Bytes(mib, 'Largest request body'),
    delta_bytes: Bytes(64 * mib, 'Largest delta artifact'),
    telemetry_bytes: Bytes(64 * mib, 'Largest batch of metrics or calls, inflated'),
    url_bytes: Bytes(8 * kib, 'Longest URL'),
    header_bytes: Bytes(16 * kib, 'Largest request header'),
    path_parameter_bytes: Bytes(4096, 'Longest path parameter'),
    json_depth: Count(64, 'Deepest nesting of JSON', 4, 1000),
    json_values: Count(50_000, 'Most values of one JSON body, or of one message on the socket', 1000, 10_000_000),
    frame_bytes: Bytes(16 * mib, 'Largest frame on the socket'),
    backlog_bytes: Bytes(16 * mib, 'A socket client with more unread answers than this is cut'),
    connections: Count(128, 'Most socket connections', 1, 65_536),
    requests_in_flight: Count(64, 'Most unanswered requests of one socket connection', 1, 65_536),
    batch_requests: Count(1000, 'Most requests of one JSON-RPC batch', 1, 1_000_000),
    subscriptions: Count(256, 'Most event subscriptions of one socket connection', 1, 65_536),
    repositories: Count(1000, 'Most registered repositories', 1, 1_000_000),
    queued_jobs: Count(1000, 'Most queued jobs', 1, 1_000_000),
    scip_bytes: Bytes(2048 * mib, 'Largest SCIP index, inflated'),
    scip_documents: Count(200_000, 'Most documents of a SCIP index'),
    scip_symbols: Count(20_000_000, 'Most distinct symbols of a SCIP index, those of single documents aside'),
    scip_symbol_bytes: Bytes(1024 * mib, 'What these symbols may take, what they share with others counted once'),
    scip_document_bytes: Bytes(32 * mib, 'Largest document of a SCIP index'),
    scip_occurrences: Count(300_000, 'Most occurrences of one document of a SCIP index', 1, 1_000_000),
    source_bytes: AtStart(Bytes(2 * mib, 'A larger source file is listed and not parsed')),
    source_line_characters: AtStart(Count(20_000, 'A source file with a longer line is listed and not parsed')),
    parse_seconds: AtStart(
      Seconds(2, 'Longest parse of one file on an ordinary machine (its work is counted, not the time)', 60),
    ),
  }),
});

/** The configuration in force; keys as they stand in the file. */
export type Config = Static<typeof configSchema>;

/** One key of the schema by its dotted name, e.g. `http.port`. */
export interface ConfigKey {
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: TSchema & {
    readonly type?: string;
    readonly default?: unknown;
    readonly description?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly minLength?: number;
    readonly maxProperties?: number;
    readonly enum?: readonly string[];
    /** Of a list. */
    readonly items?: { readonly enum?: readonly string[]; readonly format?: 'host' };
    readonly examples?: readonly unknown[];
    readonly [atStart]?: true;
    readonly [problemOfTable]?: (name: string, table: unknown) => string;
  };
}

/** Whether a change of this key waits for the next start; all else comes into force when the daemon is told to reload. */
export function waitsForStart({ schema }: ConfigKey): boolean {
  return schema[atStart] === true;
}

/** What is wrong with a key that holds tables by name; undefined where nothing is, or it holds none. */
export function problemOfTables({ schema }: ConfigKey, value: unknown): string | undefined {
  const problem = schema[problemOfTable];
  if (problem === undefined) return undefined;
  if (!isRecord(value)) return 'must be a table of tables';
  const entries = Object.entries(value);
  const most = schema.maxProperties ?? 100;
  if (entries.length > most) return `must hold at most ${most} tables`;
  return entries.map(([name, table]) => problem(name, table)).find(words => words !== '');
}

/** What is wrong with the table of a service, or nothing. */
function problemOfService(name: string, table: unknown): string {
  if (!isRecord(table) || !hasOnly(table, ['repo', 'path']) || !isText(table['repo']))
    return `${name} must be a table with a repo, the id of a repository, and perhaps a path`;
  const { path = 'x' } = table;
  const isFolder = typeof path === 'string' && /^(?![./]|.*(?:^|\/)\.\.?(?:\/|$)).{1,4096}$/.test(path);
  return isFolder ? '' : `${name}: path must be a folder from the repository’s root, such as services/checkout`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(table: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(table).every(name => names.includes(name));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

/** Every key in the order of the schema, top-level keys first. */
export const configKeys: readonly ConfigKey[] = Object.entries(
  configSchema.properties as Record<string, TSchema>,
).flatMap(([name, schema]) => {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties;
  if (properties === undefined) return [{ name, path: [name], schema }];
  return Object.entries(properties).map(([key, inner]) => ({
    name: `${name}.${key}`,
    path: [name, key],
    schema: inner,
  }));
});

/** The environment variable of a key: `SVC_HTTP_PORT` for `http.port`. */
export function environmentName(key: string): string {
  return `SVC_${key.replaceAll('.', '_').toUpperCase()}`;
}

/** `config.example.toml`: every key with its default, commented out, as the schema describes it. */
export function configExample(): string {
  const lines = [
    '# Configuration of svc: copy it to ~/.config/svc/config.toml and change what you need. Every line that is commented out',
    '# shows the default. A flag wins over the environment (SVC_HTTP_PORT for http.port), the environment over this file.',
    '# `svc config show --origin` tells what is in force and why. A daemon that runs takes a change over within seconds, at once',
    '# on SIGHUP, except where a restart is said to be needed. Printed from the schema in daemon/config-schema.ts.',
  ];
  let table = '';
  for (const key of configKeys) {
    const { name, path, schema } = key;
    if (path.length > 1 && path[0] !== table) {
      table = path[0]!;
      lines.push('', `[${table}]`);
    } else lines.push('');
    lines.push(`# ${schema.description ?? name}${waitsForStart(key) ? '; needs svc daemon restart' : ''}`);
    lines.push(`# ${path.at(-1)} = ${JSON.stringify(schema.default ?? schema.examples?.[0])}`);
  }
  return `${[...lines, ...indexServerExample()].join('\n')}\n`;
}
