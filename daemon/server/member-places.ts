import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../client/protocol/faults.ts';
import { isClosed } from '../../watch/file-system.ts';
import { rootGone } from '../jobs/standing-root.ts';
import type { Member } from '../model/federation.ts';
import { keepNewest } from '../model/keep-newest.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import type { Compatibility, MemberSource, NewMember } from '../operations/federations.ts';
import { noWorkTree, unknownRepository } from '../operations/repository-faults.ts';
import { idsOf, isGone, isHosted } from '../operations/served-repository.ts';
import { storedSchemaOf, wantedSchema } from '../store/index-file.ts';
import { StoreError } from '../store/store-faults.ts';
import {
  checkedRoot,
  type KeptRepository,
  type Repositories,
  type RepositoriesOptions,
  slugOf,
} from './repositories.ts';

/** A member with what it is here. */
export interface PlacedMember {
  readonly member: Member;
  /** Undefined of a folder that is not registered, and of what was removed. */
  readonly repository: KeptRepository | undefined;
  readonly source: MemberSource;
}

/** Where members of federations lie. */
export interface MemberPlaces {
  /** What a new member would be. Throws `resourceNotFound`, `invalidBody`, `unsafeOwner`. */
  placeNew(wanted: NewMember, addedAt: number): Member;
  placed(member: Member): PlacedMember;
  sourceOf(member: Member): MemberSource;
  compatibilityOf(member: Member): Compatibility;
  /** A folder that is not registered, as what is indexed: nobody follows it. Throws `resourceNotFound`, `unsafeOwner`. */
  recordOf(member: Member): RepositoryRecord;
  /** Of a member's work tree. Throws `preconditionFailed` where it has none, and as `recordOf`. */
  rootOf(member: Member): string;
  /** Removes the index of such a folder: the next synchronisation makes it anew. */
  forgetIndex(member: Member): Promise<void>;
  /** Removes indexes of folders that are no members any more. */
  forgetOthers(repoUids: ReadonlySet<string>): Promise<void>;
}

export interface MemberPlacesOptions
  extends Pick<RepositoriesOptions, 'reposFolder' | 'ownFolders' | 'uid' | 'commonFolderOf'> {
  readonly repositories: Pick<Repositories, 'get' | 'list' | 'at'>;
  /** Closes an index file, whoever has it open. */
  readonly releaseFile: (indexFile: string) => Promise<void>;
}

const folderPrefix = 'federated-';

export function memberPlaces(options: MemberPlacesOptions): MemberPlaces {
  const { repositories, reposFolder, releaseFile } = options;
  const folderOf = (repoUid: string): string => join(reposFolder, `${folderPrefix}${repoUid}`);
  /** By its uid; where it was registered anew, by its folder. */
  const registeredOf = ({ repoUid, path, kind }: Member): KeptRepository | undefined =>
    (kind === 'repository' ? repositories.list().find(({ registered }) => registered.uid === repoUid) : undefined) ??
    (path === '' ? undefined : repositories.at(path));
  const sourceOf = (member: Member): MemberSource => {
    const source = registeredOf(member)?.registered.source;
    if (source === 'mirror' || source === 'upload') return source;
    return source === undefined && member.kind === 'path' ? 'path' : 'registered';
  };
  const indexFileOf = (repoUid: string): string => join(folderOf(repoUid), 'index.db');
  const removeIndex = async (repoUid: string): Promise<void> => {
    await releaseFile(indexFileOf(repoUid)).catch(() => {}); // it is closing
    rmSync(folderOf(repoUid), { recursive: true, force: true });
  };
  return {
    placeNew: ({ path, repoId, tags }, addedAt) => {
      if (path === undefined) {
        const known = repositories.get(repoId!);
        if (known === undefined) throw unknownRepository(repoId!, idsOf({ list: () => repositories.list() }));
        return memberOfRepository(known, known.record.id, tags, addedAt);
      }
      const root = checkedRoot(path, options, 'path');
      const known = repositories.at(root);
      if (known !== undefined) return memberOfRepository(known, repoId ?? known.record.id, tags, addedAt);
      return { repoUid: uidOfPath(root), repoId: repoId ?? slugOf(root), kind: 'path', path: root, tags, addedAt };
    },
    placed: member => ({ member, repository: registeredOf(member), source: sourceOf(member) }),
    sourceOf,
    compatibilityOf: member => {
      const repository = registeredOf(member);
      if (repository === undefined && member.kind === 'repository') return absent('It is not registered here any more');
      if (repository === undefined && !isFolder(member.path)) return absent('Its folder is gone');
      if (repository !== undefined && isGone(repository)) return absent('Its folder is gone');
      // What is published was read, and so is of this version.
      if (repository?.snapshot !== undefined && repository.failure === undefined) return compatible;
      const file = repository?.record.indexFile ?? indexFileOf(member.repoUid);
      const failure = repository?.failure;
      return rememberedFor(file, failure ?? '', () => compatibilityOfFile(file, failure));
    },
    rootOf: member => {
      const repository = registeredOf(member);
      if (repository === undefined && !isFolder(member.path)) throw folderGone(member.path);
      if (repository === undefined) return checkedRoot(member.path, options, 'path');
      if (isHosted(repository)) throw noWorkTree(repository);
      if (isGone(repository)) throw rootGone(repository.record);
      return repository.record.root;
    },
    recordOf: member => {
      if (!isFolder(member.path)) throw new Fault('resourceNotFound', 'Its folder is gone');
      const root = checkedRoot(member.path, options, 'path');
      const { repoUid } = member;
      return { id: `path:${repoUid}`, root, indexFile: indexFileOf(repoUid), worktreeKey: repoUid, trusted: false };
    },
    forgetIndex: ({ repoUid }) => removeIndex(repoUid),
    forgetOthers: async repoUids => {
      for (const name of namesIn(reposFolder)) {
        const repoUid = name.startsWith(folderPrefix) ? name.slice(folderPrefix.length) : undefined;
        if (repoUid === undefined || repoUids.has(repoUid)) continue;
        await removeIndex(repoUid);
      }
    },
  };
}

function folderGone(path: string): Fault {
  return new Fault('preconditionFailed', `${path} is gone`, { details: { reason: 'root_missing' } });
}

/** None before the first repository is indexed. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function memberOfRepository(
  { registered, record }: KeptRepository,
  repoId: string,
  tags: readonly string[],
  addedAt: number,
): Member {
  return { repoUid: registered.uid, repoId, kind: 'repository', path: record.root, tags, addedAt };
}

/** The same path has the same UUID: version 8, of a digest. */
function uidOfPath(path: string): string {
  const digest = createHash('sha256').update(`svc federation member ${path}`).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function absent(message: string): Compatibility {
  return { status: 'missing', schemaVersion: undefined, requiredVersion: wantedSchema, message };
}

const compatible: Compatibility = {
  ...{ status: 'ok', schemaVersion: wantedSchema, requiredVersion: wantedSchema, message: 'Its index can be read' },
};

const remembered = new Map<string, { readonly print: string; readonly told: Compatibility }>();
const mostRemembered = 1_000;

/** What was said of an index file, while that is as it was. */
function rememberedFor(file: string, failure: string, tell: () => Compatibility): Compatibility {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return tell();
  const print = [stats.ino, stats.size, stats.mtimeMs, failure].join(' ');
  const known = remembered.get(file);
  const told = known?.print === print ? known.told : tell();
  keepNewest(remembered, file, { print, told }, mostRemembered);
  return told;
}

function compatibilityOfFile(file: string, failure: string | undefined): Compatibility {
  const told = (
    status: Compatibility['status'],
    schemaVersion: number | undefined,
    message: string,
  ): Compatibility => ({
    ...{ status, schemaVersion, requiredVersion: wantedSchema, message },
  });
  try {
    const version = storedSchemaOf(file);
    if (version === undefined) return told('needs_refresh', undefined, 'It has no index yet');
    if (version > wantedSchema) return told('incompatible', version, 'Its index is of a newer version of svc');
    if (version < wantedSchema) return told('needs_refresh', version, 'Its index is of an older version of svc');
    if (failure !== undefined) return told('needs_refresh', version, failure);
    return compatible;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return told('incompatible', undefined, 'Its index can’t be read');
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(realpathSync(path)).isDirectory();
  } catch (error) {
    return isClosed(error); // who goes on to look into it says so
  }
}
