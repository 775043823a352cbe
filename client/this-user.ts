import { homedir, userInfo } from 'node:os';

/** As `HOME` or the system's accounts have it, '' where neither names one: a user may be a number without an account. */
export function homeFolder(): string {
  return ofAccount(homedir) ?? '';
}

/** Where the user's own files are looked for; a folder that nobody has where there is no home. */
export function homeIn(environment: Readonly<Record<string, string | undefined>>): string {
  return environment['HOME'] || homeFolder() || '/nonexistent';
}

/** What the account is called, or the number of who has none. */
export function userName(): string {
  return ofAccount(() => userInfo().username) ?? String(process.getuid?.());
}

function ofAccount<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined; // there is no such account
  }
}
