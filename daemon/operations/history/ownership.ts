import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { allFiles, askedFiles } from '../ownership/asked-files.ts';
import { driftAnswer } from '../ownership/drift-answer.ts';
import { ownershipAnswer } from '../ownership/ownership-answer.ts';
import { isInScope, scopePath } from '../scope.ts';
import type { HistoricalSnapshot } from './historical.ts';
import { historyTold, unblamedTold, uncountedTold, undeclaredTold, untellableTold, warned } from './told.ts';

/** Who owns what is asked about; wants what of it nobody has looked at yet. */
export function ownershipTold(
  of: HistoricalSnapshot,
  input: InputOf<Operations['ownership.get']>,
): OutputOf<Operations['ownership.get']> {
  const told = ownershipAnswer(of, of.owners, of.at.prefix, input);
  const { pendingFiles } = told.coverage;
  const untellable = pendingFiles > 0 ? wantUnblamed(of, askedFiles(of, input).files) : 0;
  const warnings = [
    ...undeclaredTold(of.owners.codeowners),
    ...unblamedTold(pendingFiles - untellable, 'the shares are those of the others; ask again'),
    ...untellableTold(untellable, 'the shares are those of the others'),
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
  const { pending } = told.counts;
  // Of what is declared for unknown people alone it makes no difference who wrote it, so it may be untellable and not pending.
  const untellable = pending > 0 ? Math.min(pending, wantUnblamed(of, declaredFiles(of, input.scope))) : 0;
  const warnings = [
    ...undeclaredTold(of.owners.codeowners),
    ...unblamedTold(pending - untellable, 'whether these drifted is not known; ask again'),
    ...untellableTold(untellable, 'whether these drifted is not known'),
  ];
  return { ...told, ...historyTold(of), ...warned(warnings) };
}

function declaredFiles(of: HistoricalSnapshot, asked: string | undefined): readonly string[] {
  const scope = scopePath(asked);
  const declared = of.owners.codeowners.declared();
  return allFiles(of, '').filter(path => isInScope(path, scope) && declared.ofFile(of.fromTop(path)).kind === 'owned');
}

/** Returns of how many of them git could not say it. */
function wantUnblamed({ past, fromTop, want, untellable }: HistoricalSnapshot, paths: readonly string[]): number {
  const missing = paths.flatMap(path => {
    const content = past.contentOf(fromTop(path));
    return content === undefined || past.blameOf(content) !== undefined ? [] : [content];
  });
  want(missing);
  return untellable(missing);
}
