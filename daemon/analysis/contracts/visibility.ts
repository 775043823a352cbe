import type { ContractMark, ContractOutline, ContractVisibility } from '../../model/contract.ts';

export interface ToldVisibility {
  readonly visibility: ContractVisibility;
  /** What says so: a sentence without a full stop. */
  readonly reason: string;
}

export interface Surroundings {
  /** The name that the module of the file has in a schema registry: `buf.build/acme/petapis`. */
  readonly module?: string;
}

/**
 * Whom a contract is for. What it says itself goes before where it lies, and a word for fewer readers before one for more, as
 * far as they are equally near: lines made for it; copies of what others publish; its title; folders, the innermost first;
 * parts of its package; a registry's module; its servers; a folder that is called after APIs.
 */
export function visibilityOf(path: string, outline: ContractOutline, { module }: Surroundings = {}): ToldVisibility {
  return (
    ofMark(outline.marks, 'declared') ??
    copied(path, outline) ??
    ofMark(outline.marks, 'title') ??
    ofFolders(path) ??
    ofPackage(outline) ??
    (module === undefined ? undefined : told('public', `its module is published as ${module}`)) ??
    ofMark(outline.marks, 'servers') ??
    ofApiFolder(path) ??
    told('unknown', 'neither its path nor its text says whom it is for')
  );
}

function told(visibility: ContractVisibility, reason: string): ToldVisibility {
  return { visibility, reason };
}

function ofMark(marks: readonly ContractMark[], kind: ContractMark['kind']): ToldVisibility | undefined {
  const some = marks.filter(mark => mark.kind === kind);
  const mark = some.find(({ says }) => says === 'internal') ?? some[0];
  return mark === undefined
    ? undefined
    : told(mark.says, `${subjects[kind](mark.says)} ${mark.seen} (line ${mark.line})`);
}

const subjects: Readonly<Record<ContractMark['kind'], (says: ContractMark['says']) => string>> = {
  declared: () => 'it says',
  title: () => 'its title is',
  servers: says => (says === 'public' ? 'it is served at' : 'it is served where nobody outside gets, at'),
};

/** Those that most repositories have a copy of, by the folders that they are imported by. */
const publishedElsewhere = [
  'google/api/',
  'google/iam/',
  'google/longrunning/',
  'google/protobuf/',
  'google/rpc/',
  'google/type/',
  'grpc/channelz/',
  'grpc/health/',
  'grpc/reflection/',
  'buf/validate/',
  'validate/validate.proto',
  'gogoproto/',
  'cosmos_proto/',
  'amino/',
  'protoc-gen-openapiv2/',
  'opentelemetry/proto/',
  'udpa/',
  'xds/',
  'envoy/',
];

const copyFolders = new Set([
  'third_party',
  'third-party',
  'thirdparty',
  'vendor',
  'vendored',
  'node_modules',
  '.proto_deps',
]);

/** What somebody else publishes tells nothing of this repository, wherever it lies. */
function copied(path: string, outline: ContractOutline): ToldVisibility | undefined {
  const folder = path
    .split('/')
    .slice(0, -1)
    .find(part => copyFolders.has(part.toLowerCase()));
  if (folder !== undefined) return told('unknown', `it lies in ${folder}, with copies of what others publish`);
  const known = publishedElsewhere.find(one => path.startsWith(one) || path.includes(`/${one}`));
  const isTheirs = known !== undefined && outline.type === 'proto' && outline.package.startsWith(known.split('/')[0]!);
  return isTheirs
    ? told('unknown', `it is a copy of what is published as ${path.slice(path.indexOf(known))}`)
    : undefined;
}

const words = new Map<string, ContractMark['says']>([
  ['internal', 'internal'],
  ['_internal', 'internal'],
  ['internals', 'internal'],
  ['private', 'internal'],
  ['intern', 'internal'],
  ['public', 'public'],
  ['external', 'public'],
  ['publicapi', 'public'],
]);

/** Words of folders may be parts of their names: `public-api`. */
function ofFolders(path: string): ToldVisibility | undefined {
  const folders = path.split('/').slice(0, -1);
  for (const folder of folders.reverse()) {
    const says = saidBy(folder);
    if (says !== undefined) return told(says, `it lies in the folder ${folder}`);
  }
  const name = path.slice(path.lastIndexOf('/') + 1);
  const says = saidBy(name.replace(/\.[^.]*$/, ''));
  return says === undefined ? undefined : told(says, `it is called ${name}`);
}

function saidBy(name: string): ContractMark['says'] | undefined {
  const parts = [name, ...name.split(/[-_.]/)].map(part => words.get(part.toLowerCase()));
  return parts.find(says => says === 'internal') ?? parts.find(says => says !== undefined);
}

function ofPackage(outline: ContractOutline): ToldVisibility | undefined {
  if (outline.type !== 'proto') return undefined;
  const parts = outline.package.split('.').reverse();
  const part = parts.find(one => words.has(one));
  return part === undefined ? undefined : told(words.get(part)!, `its package ${outline.package} has the part ${part}`);
}

function ofApiFolder(path: string): ToldVisibility | undefined {
  const folder = path
    .split('/')
    .slice(0, -1)
    .findLast(one => one === 'api' || one === 'apis');
  return folder === undefined ? undefined : told('public', `it lies in the folder ${folder}`);
}
