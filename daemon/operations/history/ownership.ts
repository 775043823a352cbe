import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { allFiles, askedFiles } from '../ownership/asked-files.ts';
import { driftAnswer } from '../ownership/drift-answer.ts';
import { ownershipAnswer } from '../ownership/ownership-answer.ts';
import { isInScope, scopePath } from '../scope.ts';
import type { HistoricalSnapshot } from './historical.ts';
import { historyTold, unblamedTold, uncountedTold, undeclaredTold, warned } from './told.ts';

/** Who owns what is asked about; wants what of it nobody has looked at yet. */
export function ownershipTold(
  of: HistoricalSnapshot,
  input: InputOf<Operations['ownership.get']>,
): OutputOf<Operations['ownership.get']> {
  const told = ownershipAnswer(of, of.owners, of.at.prefix, input);
  if (told.coverage.pendingFiles > 0) wantUnblamed(of, askedFiles(of, input).files);
  const warnings = [
    ...undeclaredTold(of.owners.codeowners),
    ...unblamedTold(told.coverage.pendingFiles, 'the shares are those of the others; ask again'),
    ...(input.includeHistory ? uncountedTold(of.at) : []),
  ];
  return { ...told, ...historyTold(of), ...warned(warnings) };
}

/** Files that drifted; wants the declared ones that nobody has looked at yet. */
export function driftTold(
  of: HistoricalSnapshot,
  input: InputOf<Operations['ownership.drift']>,
): OutputOf<Operations['ownership.drift']> {
  const told = driftAnswer(of, of.owners, of.at.prefix, input);
  if (told.counts.pending > 0) {
    const scope = scopePath(input.scope);
    const declared = of.owners.codeowners.declared();
    const isMeant = (path: string): boolean =>
      isInScope(path, scope) && declared.ofFile(of.fromTop(path)).kind === 'owned';
    wantUnblamed(of, allFiles(of, '').filter(isMeant));
  }
  const warnings = [
    ...undeclaredTold(of.owners.codeowners),
    ...unblamedTold(told.counts.pending, 'whether these drifted is not known; ask again'),
  ];
  return { ...told, ...historyTold(of), ...warned(warnings) };
}

function wantUnblamed({ past, fromTop, want }: HistoricalSnapshot, paths: readonly string[]): void {
  want(
    paths.flatMap(path => {
      const content = past.contentOf(fromTop(path));
      return content === undefined || past.blameOf(content) !== undefined ? [] : [content];
    }),
  );
}
