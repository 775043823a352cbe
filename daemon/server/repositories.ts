import { createHash, randomUUID } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { registration } from '../../client/registration.ts';
import { closedFolder, isClosed } from '../../watch/file-system.ts';
import { isRepository } from '../../watch/nested-repository.ts';
import type { FollowedRepository } from '../jobs/follow/follow-repository.ts';
import { wayInto } from '../jobs/way-in.ts';
import { type GitFolder, gitFolderAround } from '../operations/doctor/git-folder.ts';
import { unknownRepository } from '../operations/repository-faults.ts';
import type { ServedRepositories, ServedRepository } from '../operations/served-repository.ts';
import type { DaemonDatabase, RegisteredRepository } from '../store/daemon-db.ts';
import { retiredFile } from '../store/retired-files.ts';
import { foreignOwner } from './common-folder.ts';

/** A registered repository as those hold it who keep it indexed. They alone change it. */
export type KeptRepository = { -readonly [Field in keyof ServedRepository]: ServedRepository[Field] } & {
  follow: FollowedRepository | undefined;
};

/** The registered repositories, in memory as in `daemon.db`. */
export interface Repositories extends ServedRepositories {
  list(): readonly KeptRepository[];
  get(id: string): KeptRepository | undefined;
  /** The one whose root is the path. */
  at(path: string): KeptRepository | undefined;
  /** The innermost that holds the path; none where another git repository lies between, for that one is not indexed with it. */
  containing(path: string): KeptRepository | undefined;
  add(root: string, id: string | undefined): { readonly repository: KeptRepository; readonly created: boolean };
  /** Throws `resourceNotFound`. */
  remove(id: string): KeptRepository;
  /** Registers one without a work tree, or gives the one that is there. Throws `preconditionFailed` for an id of another kind. */
  addHosted(id: string, source: HostedSource): KeptRepository;
  /** What would be registered of one without a work tree, and is not yet; what is, where it is. Throws as `addHosted` does. */
  planHosted(id: string, source: HostedSource): RegisteredRepository;
  /** Where the index of an epoch lies, or would. */
  hostedFile(id: string, epoch: string): string;
  /** To be told that `daemon.db` has one without a work tree, and the epoch of its index. */
  keepHosted(registered: RegisteredRepository, epoch: string): KeptRepository;
}

export type HostedSource = Exclude<RegisteredRepository['source'], 'tree'>;

export interface RepositoriesOptions {
  readonly database: Pick<
    DaemonDatabase,
    'repositories' | 'saveRepository' | 'removeRepository' | 'setDefaultRepository' | 'setTrusted' | 'hosted'
  >;
  /** Folder of the index files. */
  readonly reposFolder: string;
  /** Folders of ours: no repository may lie in one. */
  readonly ownFolders: readonly string[];
  readonly uid: number;
  /** Asked at each new one. */
  readonly limit: () => number;
  readonly configuredDefault: () => string;
  readonly now: () => Date;
  /** The git common folder of a root, '' outside git; throws `unsafeOwner` for somebody else's, `preconditionFailed` for a closed one. */
  readonly commonFolderOf: (root: string, before?: string) => string;
}

export function createRepositories(options: RepositoriesOptions): Repositories {
  return new RegisteredRepositories(options);
}

class RegisteredRepositories implements Repositories {
  readonly #options: RepositoriesOptions;
  readonly #kept = new Map<string, KeptRepository>();

  constructor(options: RepositoriesOptions) {
    this.#options = options;
    for (const registered of options.database.repositories()) this.#keep(lookedAt(registered, options));
  }

  list(): readonly KeptRepository[] {
    return [...this.#kept.values()];
  }

  get(id: string): KeptRepository | undefined {
    return this.#kept.get(id);
  }

  at(path: string): KeptRepository | undefined {
    return this.list().find(({ record }) => record.root !== '' && record.root === path);
  }

  containing(given: string): KeptRepository | undefined {
    const path = resolve(given);
    const holders = this.list().filter(({ record }) => record.root !== '' && isWithin(path, record.root));
    const innermost = holders.sort((a, b) => b.record.root.length - a.record.root.length)[0];
    return innermost === undefined || hasRepositoryBelow(innermost.record.root, path) ? undefined : innermost;
  }

  defaultId(): string | undefined {
    const configured = this.#options.configuredDefault();
    return configured !== '' ? configured : this.list().find(({ registered }) => registered.isDefault)?.record.id;
  }

  add(given: string, wantedId: string | undefined): { readonly repository: KeptRepository; readonly created: boolean } {
    const root = checkedRoot(given, this.#options);
    const there = this.at(root);
    if (there === undefined) return { repository: this.#register(root, wantedId), created: true };
    const { id } = there.record;
    if (wantedId === undefined || wantedId === id) return { repository: there, created: false };
    throw new Fault('preconditionFailed', `This folder is registered as ${id} already`, {
      details: { reason: 'registered', id },
    });
  }

  remove(id: string): KeptRepository {
    const repository = this.#find(id);
    this.#options.database.removeRepository(id);
    this.#kept.delete(id);
    return repository;
  }

  addHosted(id: string, source: HostedSource): KeptRepository {
    const known = this.#kept.get(id);
    const registered = this.planHosted(id, source);
    if (known !== undefined) return known;
    this.#options.database.saveRepository(registered);
    return this.#keep(registered);
  }

  planHosted(id: string, source: HostedSource): RegisteredRepository {
    const known = this.#kept.get(id)?.registered;
    if (known !== undefined && known.source !== source) {
      throw new Fault('preconditionFailed', `The id ${id} is taken`, { details: { reason: 'id_taken' } });
    }
    return known ?? this.#newOne({ id, source, root: '', commonFolder: '' });
  }

  hostedFile(id: string, epoch: string): string {
    const file = join(this.#options.reposFolder, digestOf(`hosted:${id}`), 'index.db');
    return epoch === '' ? file : retiredFile(file, epoch);
  }

  keepHosted(registered: RegisteredRepository, epoch: string): KeptRepository {
    const repository = this.#kept.get(registered.id) ?? this.#keep(registered);
    repository.record = { ...repository.record, indexFile: this.hostedFile(registered.id, epoch) };
    return repository;
  }

  setDefault(id: string | undefined): void {
    if (id !== undefined) this.#find(id);
    this.#options.database.setDefaultRepository(id);
    for (const repository of this.list()) change(repository, { isDefault: repository.record.id === id });
  }

  setTrusted(id: string, trusted: boolean): void {
    const repository = this.#find(id);
    this.#options.database.setTrusted(id, trusted);
    change(repository, { trusted });
  }

  #register(root: string, wantedId: string | undefined): KeptRepository {
    const { commonFolderOf, database } = this.#options;
    if (wantedId !== undefined && this.#kept.has(wantedId)) {
      throw new Fault('preconditionFailed', `The id ${wantedId} is taken`, { details: { reason: 'id_taken' } });
    }
    const id = wantedId ?? freeId(root, this.#kept);
    const registered = this.#newOne({ id, source: 'tree', root, commonFolder: commonFolderOf(root) });
    database.saveRepository(registered);
    return this.#keep(registered);
  }

  #newOne(place: Pick<RegisteredRepository, 'id' | 'source' | 'root' | 'commonFolder'>): RegisteredRepository {
    const { limit, now } = this.#options;
    if (this.#kept.size >= limit()) {
      throw new Fault('rateLimited', `At most ${limit()} repositories`, { retryAfterSeconds: 60 });
    }
    return { ...place, uid: randomUUID(), trusted: false, isDefault: false, addedAt: now().getTime() };
  }

  #keep(registered: RegisteredRepository): KeptRepository {
    const { id, uid, root, trusted } = registered;
    const repository: KeptRepository = {
      record: { id, root, indexFile: this.#indexFileOf(registered), worktreeKey: uid, trusted },
      registered,
      snapshot: undefined,
      epoch: '',
      sinceComparedMs: undefined,
      follow: undefined,
      progress: undefined,
      unlisted: [],
      verified: undefined,
      notWritten: undefined,
      failure: undefined,
    };
    this.#kept.set(id, repository);
    return repository;
  }

  /** Worktrees of one repository share a file, for they share nearly all of their facts. */
  #indexFileOf({ id, uid, source, root, commonFolder }: RegisteredRepository): string {
    if (source !== 'tree') return this.hostedFile(id, this.#options.database.hosted(uid)?.epoch ?? '');
    return join(this.#options.reposFolder, digestOf(commonFolder === '' ? root : commonFolder), 'index.db');
  }

  #find(id: string): KeptRepository {
    const found = this.#kept.get(id);
    if (found === undefined) throw unknownRepository(id, [...this.#kept.keys()]);
    return found;
  }
}

function change(repository: KeptRepository, changed: Partial<RegisteredRepository>): void {
  repository.registered = { ...repository.registered, ...changed };
  repository.record = { ...repository.record, trusted: repository.registered.trusted };
}

/** The folder may have become another git repository while nobody looked. One that is not there stays what it was. */
function lookedAt(registered: RegisteredRepository, options: RepositoriesOptions): RegisteredRepository {
  if (registered.source !== 'tree' || !existsSync(registered.root)) return registered;
  try {
    const commonFolder = options.commonFolderOf(registered.root, registered.commonFolder);
    if (commonFolder === registered.commonFolder) return registered;
    const now = { ...registered, commonFolder };
    options.database.saveRepository(now);
    return now;
  } catch {
    return registered; // its git has become somebody else's, or closed: it is indexed without, and doctor says so
  }
}

/** Names a folder of the index files. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * The real path of a folder that may be registered. Our own folders may lie below it: they keep themselves out. `field`: of
 * the input that names it. Throws `invalidBody`, `unsafeOwner`, and `preconditionFailed` for one that may not be looked into.
 */
export function checkedRoot(
  given: string,
  options: Pick<RepositoriesOptions, 'ownFolders' | 'uid' | 'commonFolderOf'>,
  field = 'root',
): string {
  const noRoot = (message: string): Fault => invalid('invalidBody', [{ path: field, message }]);
  if (!given.startsWith('/') || given.includes('\0')) throw noRoot('must be an absolute path');
  let root: string;
  try {
    root = realpathSync(given);
  } catch (error) {
    throw isClosed(error) ? closedRoot(given, field) : noRoot('there is no such folder');
  }
  const stats = lstatSync(root);
  if (!stats.isDirectory()) throw noRoot('is not a folder');
  if (root === '/') throw noRoot('the whole file system is no repository');
  if (options.ownFolders.some(folder => isWithin(root, realPathOf(folder)))) {
    throw noRoot('lies inside the folders of this service');
  }
  if (stats.uid !== options.uid && options.uid !== 0) throw foreignOwner(root, stats.uid, root);
  if (closedFolder(root) !== undefined) throw closedRoot(root, field);
  options.commonFolderOf(root);
  const git = gitFolderAround(root);
  if (git !== undefined) throw insideGit(git, field);
  return root;
}

function closedRoot(root: string, field: string): Fault {
  const { why, fixes } = wayInto(closedFolder(root) ?? root, root);
  return new Fault('preconditionFailed', `${field}: can’t be looked into: ${why}`, {
    details: { reason: 'root_unreadable' },
    suggestedFixes: fixes,
  });
}

function insideGit({ path, workTree }: GitFolder, field: string): Fault {
  const noRoot = (message: string): Fault => invalid('invalidBody', [{ path: field, message }]);
  if (workTree === undefined) {
    return noRoot(
      `${path} is a bare git repository, which has no files: register a work tree of it (git worktree add, git clone)`,
    );
  }
  const { message, extras } = noRoot(`${path} is git’s own folder: register its work tree`);
  return new Fault('invalidBody', message, {
    ...extras,
    suggestedFixes: registration(workTree).fixes,
  });
}

/** The folder's name as an id, with a number where that is taken. */
function freeId(root: string, taken: ReadonlyMap<string, unknown>): string {
  const slug = slugOf(root);
  if (!taken.has(slug)) return slug;
  for (let number = 2; ; number++) {
    if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
  }
}

/** A folder's name as an id. */
export function slugOf(root: string): string {
  const slug = basename(root)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return slug.slice(0, 100) || 'repository';
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a git repository begins on the way from a root, itself left out, down to a path. */
function hasRepositoryBelow(root: string, path: string): boolean {
  for (let folder = path; folder.length > root.length; folder = dirname(folder)) {
    if (isRepository(folder)) return true;
  }
  return false;
}

function realPathOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? path : realpathSync(path);
}
