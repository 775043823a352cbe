import type { Codeowners, OwnerRule } from '../../model/codeowners.ts';
import type { Owner } from '../../model/owner.ts';
import { ruleTree } from './rule-tree.ts';

/** Who owns what by a CODEOWNERS file. Paths are from the top of the work tree, whether something is there or not. */
export interface DeclaredOwners {
  ofFile(path: string): Declared;
}

/** By what rules somebody owns something: one, but for sections. */
export type Declared =
  | { readonly kind: 'owned'; readonly owners: readonly Owner[]; readonly rules: readonly OwnerRule[] }
  /** A rule says that nobody does. */
  | { readonly kind: 'cleared'; readonly rules: readonly OwnerRule[] }
  | { readonly kind: 'unnamed' };

/** The last rule of each section that fits counts, and what these name adds up. */
export function declaredOwners({ rules, sections }: Pick<Codeowners, 'rules' | 'sections'>): DeclaredOwners {
  // What is excluded stays so, whatever comes behind.
  const byStrength = [...rules.filter(isNaming), ...rules.filter(rule => !isNaming(rule))];
  const tree = ruleTree(byStrength, sections.length);
  const ofOne = byStrength.map(() => undefined as Declared | undefined);
  const told = (strongest: readonly number[]): Declared => {
    const fitting = strongest.filter(number => number >= 0);
    const [first] = fitting;
    if (first === undefined) return { kind: 'unnamed' };
    if (fitting.length > 1) return joined(fitting.map(number => byStrength[number]!));
    ofOne[first] ??= joined([byStrength[first]!]);
    return ofOne[first];
  };
  return { ofFile: path => told(tree.ofFile(path)) };
}

/** Who owns some files together, and by what rules: those of the most files first, else as they are written. */
export interface DeclaredTogether {
  /** `partly`: some of the files are owned, others are not; `cleared`: none is, and a rule says so. */
  readonly kind: Declared['kind'] | 'partly';
  /** `share`: of the files, 0 to 1. */
  readonly owners: readonly { readonly owner: Owner; readonly share: number }[];
  readonly rules: readonly OwnerRule[];
}

export function declaredTogether({ ofFile }: DeclaredOwners, files: readonly string[]): DeclaredTogether {
  const counts = new Map<Declared, number>();
  for (const file of files) {
    const declared = ofFile(file);
    // Of sections it is made for each file.
    counts.set(declared, (counts.get(declared) ?? 0) + 1);
  }
  const owners = new Map<string, { readonly owner: Owner; files: number }>();
  const rules = new Map<OwnerRule, number>();
  const total = { owned: 0, cleared: 0, unnamed: 0 };
  for (const [declared, count] of counts) {
    total[declared.kind] += count;
    if (declared.kind === 'unnamed') continue;
    for (const rule of declared.rules) rules.set(rule, (rules.get(rule) ?? 0) + count);
    for (const owner of declared.kind === 'owned' ? declared.owners : []) {
      const known = owners.get(owner.text) ?? { owner, files: 0 };
      known.files += count;
      owners.set(owner.text, known);
    }
  }
  const owned = total.owned === files.length ? 'owned' : 'partly';
  return {
    kind: total.owned > 0 ? owned : total.cleared > 0 ? 'cleared' : 'unnamed',
    owners: [...owners.values()]
      .sort((a, b) => b.files - a.files)
      .map(({ owner, files: count }) => ({ owner, share: count / files.length })),
    rules: [...rules].sort(([a, of], [b, by]) => by - of || a.line - b.line).map(([rule]) => rule),
  };
}

function isNaming({ effect }: OwnerRule): boolean {
  return effect === 'names';
}

function joined(rules: readonly OwnerRule[]): Declared {
  const naming = rules.filter(({ owners }) => owners.length > 0);
  if (naming.length === 0) return { kind: 'cleared', rules };
  const owners = new Map(naming.flatMap(rule => rule.owners.map(owner => [owner.text, owner] as const)));
  return { kind: 'owned', owners: [...owners.values()], rules: naming };
}
