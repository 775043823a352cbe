import { Type } from './schemas.ts';
import { expects } from './shapes.ts';

/** What may follow a name are `~2`, `^` and the like; what git reads otherwise (ranges, reflogs, paths, flags) names no commit. */
export const Revision = (description: string) =>
  Type.String({
    pattern: '^(?!-)(?!.*\\.\\.)(?!.*@\\{)[^\\x00-\\x20\\x7f:?*\\[\\\\]{1,512}$',
    description,
    [expects]: 'must name one commit: a branch, a tag, a hash, HEAD~2',
  });
