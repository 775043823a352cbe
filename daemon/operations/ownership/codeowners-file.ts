import { type DeclaredOwners, declaredOwners } from '../../analysis/ownership/declared-owners.ts';
import {
  type CodeownersPlace,
  codeownersPlaces,
  mostCodeownersBytes,
  parseCodeowners,
} from '../../extract/codeowners.ts';
import { keptFiles, whyNotRead } from '../../extract/kept-file.ts';
import type { ReadingClock } from '../../extract/read-file.ts';
import type { Codeowners } from '../../model/codeowners.ts';
import { once } from '../../model/once.ts';
import type { RepoPath } from '../../model/paths.ts';

/** What a work tree says of its owners, as it is now. */
export interface CodeownersFile {
  /** The file that counts, from the top of the work tree; undefined where there is none. */
  readonly path: CodeownersPlace | undefined;
  /** What it says; undefined where there is none, or it can't be read. */
  readonly content: Codeowners | undefined;
  /** Of nobody where nothing is said. */
  readonly declared: () => DeclaredOwners;
  /** Why nothing is read of the one that counts, to be read behind its name. */
  readonly notRead: string | undefined;
  /** What has the name where hosts look before, or where there is no other, and is no file: what it is. */
  readonly passedOver: ReadonlyMap<CodeownersPlace, string>;
}

export interface CodeownersFiles {
  /** Of the work tree with its top at an absolute, real path. Throws where descriptors ran out. */
  of(top: string): CodeownersFile;
}

/** The CODEOWNERS files of work trees: the first that is there counts, and no other. */
export function codeownersFiles(clock?: ReadingClock): CodeownersFiles {
  const files = keptFiles(
    (bytes, path) => {
      const content = parseCodeowners(bytes, path as string as CodeownersPlace);
      return { content, declared: once(() => declaredOwners(content)) };
    },
    mostCodeownersBytes,
    { clock },
  );
  return {
    of(top) {
      const passedOver = new Map<CodeownersPlace, string>();
      for (const path of codeownersPlaces) {
        const file = files.at(top, path as string as RepoPath);
        if (file.kind === 'read') return { path, ...file.value, notRead: undefined, passedOver };
        const reason = whyNotRead(file, mostCodeownersBytes);
        if (file.kind === 'unread') return { ...nothing, path, notRead: reason, passedOver };
        if (reason !== undefined) passedOver.set(path, reason);
      }
      return { ...nothing, path: undefined, notRead: undefined, passedOver };
    },
  };
}

const ofNobody: DeclaredOwners = { ofFile: () => ({ kind: 'unnamed' }) };
const nothing = { content: undefined, declared: () => ofNobody };
