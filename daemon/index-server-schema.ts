import { keyScopes } from '../client/protocol/operation.ts';

/** The tables of the index server as they stand in a TOML file, once: keys, defaults and bounds. */

/** What a key holds. A secret may be `${NAME}`, which takes it from the environment. */
export type KeyKind =
  | { readonly kind: 'switch'; readonly fallback: boolean }
  | { readonly kind: 'count'; readonly fallback: number | undefined; readonly maximum: number }
  | { readonly kind: 'text'; readonly fallback: string | undefined }
  | { readonly kind: 'secret'; readonly fallback: undefined }
  | { readonly kind: 'texts'; readonly fallback: readonly string[] | undefined };

export type IndexServerKey = KeyKind & {
  readonly name: string;
  readonly description: string;
  /** Shown in the example where there is no default. */
  readonly example?: string;
};

export interface IndexServerTable {
  /** Without the number of one of a list. */
  readonly path: readonly string[];
  readonly keys: readonly IndexServerKey[];
  /** Names of tables inside. */
  readonly inner: readonly string[];
  /** There may be several. */
  readonly isListed?: true;
  /** Keys that people may look for here, and what to do. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** The tables that may stand at the top of a file. */
export const indexServerTables: readonly string[] = ['index_server', 'repos', 'default_privacy'];

const onOff = (name: string, fallback: boolean, description: string): IndexServerKey => ({
  ...{ kind: 'switch', name, fallback, description },
});
const count = (name: string, fallback: number | undefined, description: string, maximum = 1_000_000) =>
  ({ kind: 'count', name, fallback, description, maximum }) as const;
const text = (name: string, fallback: string | undefined, description: string, example?: string) =>
  ({ kind: 'text', name, fallback, description, ...(example === undefined ? {} : { example }) }) as const;
const secret = (name: string, description: string, example: string) =>
  ({ kind: 'secret', name, fallback: undefined, description, example }) as const;
const texts = (name: string, fallback: readonly string[] | undefined, description: string, example?: string) =>
  ({ kind: 'texts', name, fallback, description, ...(example === undefined ? {} : { example }) }) as const;

const exposures = (ofWhom: string) => [
  onOff('expose_paths', true, `Of ${ofWhom}: paths are shown; else basenames alone`),
  onOff('expose_docs', true, `Of ${ofWhom}: documentation is shown`),
  onOff('expose_signatures', true, `Of ${ofWhom}: signatures are shown`),
];

export const serverTable: IndexServerTable = {
  path: ['index_server'],
  inner: ['auth'],
  keys: [
    onOff('enabled', false, 'Serve indexes of repositories under /index/repos'),
    count('max_page_size', 1000, 'Most rows of a page', 100_000),
    secret('cursor_secret', 'Key that signs cursors; without it one is made and kept', `"\${SVC_CURSOR_SECRET}"`),
  ],
};

export const authTable: IndexServerTable = {
  path: ['index_server', 'auth'],
  inner: ['static_keys', 'rate_limiting'],
  keys: [
    onOff('enabled', true, 'Keys decide who may ask; else the daemon token guards the index server like the rest'),
    onOff('require_auth', true, 'false: whoever shows no key may read'),
    secret('legacy_token', 'One token that permits everything', `"\${SVC_INDEX_TOKEN}"`),
  ],
};

export const rateTable: IndexServerTable = {
  path: ['index_server', 'auth', 'rate_limiting'],
  inner: [],
  keys: [
    onOff('enabled', false, 'Limit how often each key may ask'),
    count('default_limit', 60, 'Requests a minute of a key that has no limit of its own'),
    count('burst_size', 10, 'Requests that a key may make at once'),
  ],
};

export const staticKeyTable: IndexServerTable = {
  path: ['index_server', 'auth', 'static_keys'],
  inner: [],
  isListed: true,
  keys: [
    text('id', undefined, 'Names the key in the log', '"ci"'),
    text('name', undefined, 'What it is for', '"Uploads of CI"'),
    secret('token', 'Its secret, 16 characters at least', `"\${SVC_CI_TOKEN}"`),
    texts('scopes', undefined, `What it permits: ${keyScopes.join(', ')}; each includes those before it`, '["write"]'),
    texts('repo_patterns', ['*'], 'Repositories that it is for: *, <prefix>/* or an id', '["acme/*"]'),
    count('rate_limit', undefined, 'Requests a minute'),
  ],
};

export const repoTable: IndexServerTable = {
  path: ['repos'],
  inner: ['privacy'],
  isListed: true,
  keys: [
    text('id', undefined, 'As it is served', '"acme/billing"'),
    text('name', undefined, 'For people; default: the id', '"Billing"'),
    text('path', undefined, 'Its folder: absolute, from ~, or from the folder of this file', '"~/src/billing"'),
    text('description', '', 'For people'),
  ],
};

export const privacyTable: IndexServerTable = {
  path: ['repos', 'privacy'],
  inner: [],
  isListed: true,
  keys: [
    ...exposures('this repository'),
    text('path_prefix_strip', '', 'Folder that is left out of the beginning of its paths', '"packages/"'),
  ],
};

export const defaultPrivacyTable: IndexServerTable = {
  path: ['default_privacy'],
  inner: [],
  elsewhere: { path_prefix_strip: 'Write it below [repos.privacy], for one repository.' },
  keys: exposures('repositories that don’t say it themselves, and of uploaded ones'),
};

/** The end of `config.example.toml`. Tables of which there may be several are one example each. */
export function indexServerExample(): readonly string[] {
  return [
    ...tableExample(serverTable),
    ...tableExample(authTable),
    ...tableExample(rateTable),
    ...tableExample(defaultPrivacyTable),
    ...listExample('[[index_server.auth.static_keys]]', staticKeyTable, 'A key of the index server'),
    ...listExample('[[repos]]', repoTable, 'A repository of this machine that the index server serves'),
    ...listExample('[repos.privacy]', privacyTable, 'What of it is shown'),
  ];
}

function tableExample({ path, keys }: IndexServerTable): readonly string[] {
  const described = keys.flatMap(key => [`# ${key.description}`, `# ${key.name} = ${shown(key)}`, '']);
  return ['', `[${path.join('.')}]`, ...described.slice(0, -1)];
}

function listExample(header: string, { keys }: IndexServerTable, description: string): readonly string[] {
  return [
    '',
    `# ${description}`,
    `#   ${header}`,
    ...keys.map(key => `#   ${key.name} = ${shown(key)}  # ${key.description}`),
  ];
}

function shown({ example, fallback }: IndexServerKey): string {
  return example ?? JSON.stringify(fallback ?? 60);
}
