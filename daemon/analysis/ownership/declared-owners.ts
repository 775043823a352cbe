import type { Codeowners, OwnerRule } from '../../model/codeowners.ts';
import type { Owner } from '../../model/owner.ts';
import { ruleTree } from './rule-tree.ts';

/** Who owns what by a CODEOWNERS file. Paths are from the top of the work tree, whether something is there or not. */
export interface DeclaredOwners {
  ofFile(path: string): Declared;
  /** Of a folder as a whole, that is of whatever lies in it as far as no rule says otherwise of parts; '' is the top. */
  ofFolder(path: string): Declared;
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
  return { ofFile: path => told(tree.ofFile(path)), ofFolder: path => told(tree.ofFolder(path)) };
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
