import { findRepository, prefixIn } from '../../backends/git-repository.ts';
import { type MailmapFiles, mailmapFiles } from '../../extract/mailmap.ts';
import { type SettingsFiles, settingsFiles } from '../../extract/repository-settings.ts';
import { type CodeownersFiles, codeownersFiles } from './codeowners-file.ts';

/** What work trees say of people, each file read again when it has changed. */
export interface OwnershipFiles {
  readonly codeowners: CodeownersFiles;
  readonly mailmaps: MailmapFiles;
  readonly settings: SettingsFiles;
}

export function ownershipFiles(): OwnershipFiles {
  return { codeowners: codeownersFiles(), mailmaps: mailmapFiles(), settings: settingsFiles() };
}

/** Where these files lie for a root that is indexed: all absolute and real. */
export interface WorkTreeTop {
  readonly top: string;
  /** The root's path from there: '' or ending in `/`. */
  readonly prefix: string;
}

/** The top of the work tree around a root; the root itself where there is none. Throws where descriptors ran out. */
export function topOf(root: string): WorkTreeTop {
  const found = findRepository(root);
  const top = found.found === 'repository' ? found.repository.workTree : undefined;
  return top === undefined ? { top: root, prefix: '' } : { top, prefix: prefixIn(top, root) };
}
