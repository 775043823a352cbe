import type { Git } from '../backends/git.ts';
import type { ExcludeFiles } from '../backends/git-config.ts';

/** git, with what changes once in a blue moon and costs several processes to ask remembered for a while. */
export interface PatientGit extends Git {
  /** Asks anew next time. */
  forget(): void;
}

const maxRemembered = 256;

/** Remembers for `maxAgeMs` which ignore files git reads beside `.gitignore`: a save must not wait for three processes to say the same. */
export function patientGit(git: Git, maxAgeMs: number, now: () => number): PatientGit {
  const remembered = new Map<string, { readonly files: Promise<ExcludeFiles>; readonly atMs: number }>();
  return {
    ...git,
    excludeFiles(repository) {
      const key = repository === undefined ? '' : `${repository.commonDir}\0${repository.workTree ?? ''}`;
      const known = remembered.get(key);
      if (known !== undefined && now() - known.atMs < maxAgeMs) return known.files;
      // Without the asker's signal: others wait for the same answer.
      const files = git.excludeFiles(repository);
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(key, { files, atMs: now() });
      files.catch(() => remembered.delete(key));
      return files;
    },
    forget: () => remembered.clear(),
  };
}
