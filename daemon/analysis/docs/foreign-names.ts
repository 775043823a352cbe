import type { ForeignName } from '../../model/foreign-name.ts';
import type { Mention } from '../../model/mentions.ts';
import { wholeRepository } from './qualified-names.ts';

/** Whether what somebody else has, and the code uses, is called as a mention calls it. */
export type IsForeign = (mention: Pick<Mention, 'names' | 'from'>) => boolean;

export function foreignNames(all: readonly ForeignName[]): IsForeign {
  const byLast = new Map<string, (readonly string[])[]>();
  for (const one of all) {
    const parts = [...partsOf(one.package), ...partsOf(one.name)];
    const last = parts.at(-1);
    if (last === undefined) continue;
    const known = byLast.get(last);
    if (known === undefined) byLast.set(last, [parts]);
    else known.push(parts);
  }
  return ({ names, from }) => {
    if (from === wholeRepository) return false;
    const found = byLast.get(names.at(-1)!) ?? [];
    const [head] = [...partsOf(from ?? ''), ...names];
    if (from === undefined && names.length === 1) return found.length > 0;
    return found.some(
      parts =>
        parts.includes(head!) && names.every((name, at) => parts.at(at - names.length) === name || name === head),
    );
  };
}

function partsOf(name: string): readonly string[] {
  return name.split(/[^\p{L}\p{N}_$]+/u).filter(part => part !== '');
}
