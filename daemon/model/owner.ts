/** Who is named as an owner: as it is written, with its `@`. A name without a slash may be a group's as well, on GitLab. */
export interface Owner {
  readonly kind: 'user' | 'team' | 'email' | 'role';
  readonly text: string;
}

/** GitLab has groups in groups, and roles (`@@maintainer`). */
export type OwnerHost = 'github' | 'gitlab';

const longest = 320;
const user = /^@\w[\w.-]*$/;
const team = /^@\w[\w.-]*\/\w[\w.-]*$/;
const group = /^@\w[\w.-]*(?:\/\w[\w.-]*)+$/;
const role = /^@@(?:developer|maintainer|owner)s?$/i;
const address = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\/]+$/;

/** Whom a word names; undefined for nobody. Whether there is somebody of that name, only the host knows. */
export function readOwner(text: string, host: OwnerHost): Owner | undefined {
  if (text.length > longest) return undefined;
  if (user.test(text)) return { kind: 'user', text };
  if ((host === 'github' ? team : group).test(text)) return { kind: 'team', text };
  if (host === 'gitlab' && role.test(text)) return { kind: 'role', text };
  return address.test(text) ? { kind: 'email', text } : undefined;
}
