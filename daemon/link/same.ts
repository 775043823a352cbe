import { identityOf } from './environments.ts';
import type { Value } from './values.ts';

/** Whether two values denote the same thing, however they were come by. */
export function isSame(a: Value, b: Value): boolean {
  if (a.kind === 'definition' && b.kind === 'definition') return identityOf(a) === identityOf(b);
  if (a.kind === 'module' && b.kind === 'module') return a.path === b.path;
  if (a.kind === 'external' && b.kind === 'external') {
    return a.manager === b.manager && a.package === b.package && a.name === b.name;
  }
  if (a.kind !== 'either' || b.kind !== 'either') return a === b;
  return a.options.length === b.options.length && a.options.every((one, index) => isSame(one, b.options[index]!));
}
