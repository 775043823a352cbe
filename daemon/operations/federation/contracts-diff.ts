import { Fault } from '../../../client/protocol/faults.ts';
import type { Git } from '../../backends/git.ts';
import { repoPath } from '../../model/paths.ts';
import { federationNamed, memberNamed } from '../federation.ts';
import type { Federations } from '../federations.ts';
import { encodedAnswer, type Handlers } from '../handler.ts';
import { committedSides, type SidesOptions } from './committed-sides.ts';
import { protosListed, withGone } from './gone-documents.ts';
import { type ObservedConsumersOptions, withObservedCalls } from './observed-consumers.ts';

export interface ContractsDiff extends ObservedConsumersOptions {
  readonly federations: SidesOptions['federations'] &
    Pick<Federations, 'get' | 'list' | 'marks' | 'diff' | 'usesIn' | 'withCalls'>;
  readonly git: Git;
}

/** Revisions are read here, by git; what differs the federation's worker tells, who consumes it known. */
export function contractsDiff(options: ContractsDiff): Handlers['contracts.diff'] {
  const { federations, git } = options;
  const sides = committedSides({ federations, git });
  return async (input, { now, signal }) => {
    const { name, repoId, path } = input;
    const federation = federationNamed(federations, name);
    if (repoPath(path) === undefined) throw new Fault('fileNotFound', 'A contract’s path leads down from the root');
    const member = memberNamed(federation, repoId);
    const root = federations.rootOf(member);
    const place = sides.placeOf(federation, member, root);
    const at = await sides.at(place, input.base, path, signal);
    const after = input.head === undefined ? undefined : await sides.at(place, input.head, path, signal);
    const asked = { sides, place, root, path, before: at, after };
    const before = await withGone(asked, signal);
    const listed = await protosListed(asked, git, signal);
    const marks = federations.marks(federation);
    const call = { input, federation, marks, now: now.getTime(), root, before, after, listed };
    const answer = await federations.diff(call, signal);
    return encodedAnswer(await withObservedCalls(options, federation, answer, now.getTime(), signal));
  };
}
