import { amount } from '../../../client/protocol/amount.ts';
import type { Federation } from '../../model/federation.ts';
import type { Federations } from '../federations.ts';
import { type Finding, fix } from '../finding.ts';

/** More are told by nobody who reads them. */
const mostNamed = 5;

/** What there is to do where what is known of federations can't be read. */
export const synchronisedAnew = [
  fix('svc federation list', 'Synchronise each of them anew: svc federation sync <name>'),
];

/** Members of which what is known is older than what they are, for they could not be synchronised. */
export async function federationsBehind(federations: Pick<Federations, 'list' | 'states'>): Promise<Finding> {
  const check = 'federations';
  const all = federations.list();
  if (all.length === 0) return { check, status: 'pass', message: 'there is no federation' };
  const problems = await problemsOf(federations);
  const behind = all.flatMap(federation => behindIn(federation, problems));
  const [first] = behind;
  if (first === undefined) {
    return { check, status: 'pass', message: 'no synchronisation of a repository of a federation has failed' };
  }
  const told = behind.slice(0, mostNamed).map(({ name, repoId, problem }) => `${repoId} of ${name}: ${problem}`);
  const words = amount(behind.length, 'repository of a federation', 'repositories of federations');
  return {
    ...{ check, status: 'warn', message: `${words} could not be synchronised: ${told.join('; ')}` },
    fixes: [fix(`svc federation sync ${first.name}`, 'Try again, and tell what fails')],
  };
}

async function problemsOf(federations: Pick<Federations, 'states'>): Promise<ReadonlyMap<string, string>> {
  const states = await federations.states();
  return new Map(
    states.flatMap(({ repoUid, problem }) => (problem === undefined ? [] : [[repoUid, problem] as const])),
  );
}

function behindIn({ name, members }: Federation, problems: ReadonlyMap<string, string>) {
  return members.flatMap(({ repoId, repoUid }) => {
    const problem = problems.get(repoUid);
    return problem === undefined ? [] : [{ name, repoId, problem }];
  });
}
