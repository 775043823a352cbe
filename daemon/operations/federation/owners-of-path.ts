import { type DeclaredOwners, declaredOwners } from '../../analysis/ownership/declared-owners.ts';
import { type CodeownersPlace, parseCodeowners } from '../../extract/codeowners.ts';
import type { MemberOwnership } from '../../model/federation.ts';

/** The rows by which a file is owned, as CODEOWNERS counts them: of each source the last that fits. */
export function ownersOfPath(rows: readonly MemberOwnership[], path: string): readonly MemberOwnership[] {
  const known = ownersByRow.get(rows) ?? rulesOf(rows);
  ownersByRow.set(rows, known);
  return known.flatMap(({ owners, of }) => {
    const declared = owners.ofFile(path);
    if (declared.kind === 'unnamed') return [];
    return declared.rules.flatMap(({ line }) => of[line - 1] ?? []);
  });
}

interface SourceRules {
  readonly owners: DeclaredOwners;
  /** By line. */
  readonly of: readonly MemberOwnership[];
}

const ownersByRow = new WeakMap<readonly MemberOwnership[], readonly SourceRules[]>();

/** Each row as a line of its own, whose number leads back to it. */
function rulesOf(rows: readonly MemberOwnership[]): readonly SourceRules[] {
  const isDeclared = ({ owners }: MemberOwnership): boolean => owners.every(({ source }) => source === 'codeowners');
  return [rows.filter(isDeclared), rows.filter(row => !isDeclared(row))].map(of => {
    const lines = of.map(({ pattern, owners }) => (owners.length === 0 ? pattern : `${pattern} @owner`));
    const place = '.github/CODEOWNERS' as CodeownersPlace;
    return { owners: declaredOwners(parseCodeowners(new TextEncoder().encode(lines.join('\n')), place)), of };
  });
}
