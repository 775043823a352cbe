import { amount } from '../../client/protocol/amount.ts';
import { dateOf, shownNotes } from './federation.ts';
import { warningNotes } from './notes.ts';
import { type Answer, pairs, rows, table, type View, type Views } from './view.ts';

/** API contracts of a federation, and who depends on them. */
export const contractsViews: Views = {
  'contracts.list': ({ contracts, total, ...more }) =>
    rows(
      ['repo', 'where', 'type', 'visibility', 'name', 'services', 'modified'],
      contracts.map(one => [
        ...[one.repoId, one.path, one.contractType, one.visibility, one.name],
        ...[one.services.map(lastName).join(' '), dateOf(one.lastModified)],
      ]),
      [
        ...shownNotes(contracts.length, total, 'contract'),
        ...warningNotes(more),
        ...contracts.flatMap(one => (one.problem === null ? [] : [`${one.repoId}/${one.path}: ${one.problem}`])),
      ],
      ['modified', 'visibility'],
    ),
  'contracts.impact': ({ contract, directConsumers, transitiveConsumers, riskAssessment, ownership }) =>
    pairs([
      ['contract', `${contract.repoId}/${contract.path} (${contract.visibility})`],
      ['risk', `${riskAssessment.level}: ${riskAssessment.factors.join('; ')}`],
      ['hits directly', directConsumers.map(edgeLine)],
      ['hits indirectly', transitiveConsumers.map(one => `${one.path.join(' → ')} (${one.confidence.toFixed(2)})`)],
      ['its owners', ownership.contractOwners.join(' ')],
      ['owners of what is hit', ownership.affectedOwners.join(' ')],
    ]),
  'contracts.deps': ({ consumers, dependencies }) =>
    rows(
      ['direction', 'repo', 'tier', 'confidence', 'contracts', 'services', 'roles'],
      [
        ...consumers.map(one => ['consumed by', ...dependencyCells(one)]),
        ...dependencies.map(one => ['depends on', ...dependencyCells(one)]),
      ],
      consumers.length + dependencies.length === 0 ? ['It consumes nothing that is known, and nobody consumes it'] : [],
      ['services', 'confidence'],
    ),
  'contracts.edges': ({ edges, total }) =>
    rows(
      ['id', 'from', 'to', 'service', 'role', 'tier', 'confidence', 'evidence'],
      edges.map(one => [
        ...[String(one.edgeId), one.from, `${one.contract.repoId}/${one.contract.path}`, lastName(one.service)],
        ...[one.role, one.tier, one.confidence.toFixed(2), one.evidence],
      ]),
      shownNotes(edges.length, total, 'edge'),
      ['role', 'confidence', 'service'],
    ),
  'contracts.graph': answer =>
    typeof answer === 'string' ? { kind: 'text', text: answer } : dependenciesShown(answer),
  'contracts.suppress': ({ edgeId }) => ({ kind: 'text', text: `${edgeId} is left out from now on\n` }),
  'contracts.unsuppress': ({ edgeId }) => ({ kind: 'text', text: `${edgeId} counts again\n` }),
  'contracts.verify': ({ edgeId, previousConfidence }) => ({
    kind: 'text',
    text: `${edgeId} is sure from now on; its confidence was ${previousConfidence}\n`,
  }),
  'contracts.unverify': ({ edgeId, newConfidence }) => ({
    kind: 'text',
    text: `${edgeId} has the confidence again that its evidence gives: ${newConfidence}\n`,
  }),
  'contracts.diff': ({ changes, summary }) => ({
    ...table(
      ['severity', 'rule', 'what', 'hits', 'message'],
      changes.map(one => [
        ...[one.severity, one.id, one.subject, [...new Set(one.consumers.map(hitShown))].join(' '), one.message],
      ]),
      [
        changes.length === 0
          ? 'Nothing differs that anybody could notice'
          : `${amount(summary.breaking, 'breaking change')}, ${summary.risky} risky, ${summary.safe} safe`,
        ...(summary.consumersHit.length === 0 ? [] : [`Breaks ${summary.consumersHit.join(', ')}`]),
      ],
    ),
  }),
};

/** Who is hit, and how much production runs what is. */
function hitShown({ repoId, observedCalls }: Answer<'contracts.diff'>['changes'][number]['consumers'][number]): string {
  return observedCalls === undefined ? repoId : `${repoId}(${observedCalls} calls)`;
}

/** Who depends on whom, and who on nobody. */
function dependenciesShown({ nodes, edges }: Exclude<Answer<'contracts.graph'>, string>): View {
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const alone = nodes.filter(({ repoId }) => !joined.has(repoId)).map(({ repoId }) => repoId);
  return rows(
    ['from', 'to', 'tier', 'confidence', 'services'],
    edges.map(one => [
      ...[one.from, one.to, one.tier, one.confidence.toFixed(2), one.services.map(lastName).join(' ')],
    ]),
    [
      `${amount(nodes.length, 'repository', 'repositories')}, ${amount(edges.length, 'dependency', 'dependencies')}`,
      ...(alone.length === 0 ? [] : [`Without any: ${alone.join(', ')}`]),
    ],
    ['services', 'confidence'],
  );
}

function edgeLine(one: Answer<'contracts.impact'>['directConsumers'][number]): string {
  const what = one.service === '' ? '' : ` ${lastName(one.service)}`;
  const how = [one.role, one.tier, one.confidence.toFixed(2), ...(one.isTest ? ['tests alone'] : [])].join(' ');
  return `${one.repoId}${what} (${how}): ${one.evidence}`;
}

function dependencyCells(one: Answer<'contracts.deps'>['consumers'][number]): readonly string[] {
  return [
    one.repoId,
    one.tier,
    one.confidence.toFixed(2),
    one.contracts.join(' '),
    one.services.map(lastName).join(' '),
    one.roles.join(' '),
  ];
}

function lastName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1);
}
