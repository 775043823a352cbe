import type { OperationName } from '../../client/protocol/registry.ts';
import { analysisViews } from './analysis.ts';
import { contractsViews } from './contracts.ts';
import { daemonViews } from './daemon.ts';
import { decisionsViews } from './decisions.ts';
import { deltaViews } from './delta.ts';
import { docsViews } from './docs.ts';
import { environmentViews } from './environment.ts';
import { federationViews } from './federation.ts';
import { hotspotsViews } from './hotspots.ts';
import { indexingViews } from './indexing.ts';
import { jobsViews } from './jobs.ts';
import { ownershipViews } from './ownership.ts';
import { pullRequestViews } from './pull-request.ts';
import { refreshViews } from './refresh.ts';
import { remoteViews } from './remote.ts';
import { responsibilitiesViews } from './responsibilities.ts';
import { symbolsViews } from './symbols.ts';
import { systemViews } from './system.ts';
import { tokensViews } from './tokens.ts';
import { usageViews } from './usage.ts';
import { flatten, pairs, type View, type Views } from './view.ts';

/** Operations whose answers deserve better than a list of their fields. */
const views: Views = {
  ...symbolsViews,
  ...analysisViews,
  ...hotspotsViews,
  ...ownershipViews,
  ...responsibilitiesViews,
  ...systemViews,
  ...daemonViews,
  ...jobsViews,
  ...refreshViews,
  ...pullRequestViews,
  ...environmentViews,
  ...indexingViews,
  ...deltaViews,
  ...decisionsViews,
  ...docsViews,
  ...tokensViews,
  ...remoteViews,
  ...federationViews,
  ...contractsViews,
  ...usageViews,
};

/** The view of an answer; one without a view of its own is shown field by field. */
export function viewOf(name: OperationName, answer: unknown): View {
  const view = views[name] as ((answer: unknown) => View) | undefined;
  if (view !== undefined) return view(answer);
  return typeof answer === 'string' ? { kind: 'text', text: answer } : viewOfFields(answer);
}

export function viewOfFields(answer: unknown): View {
  return pairs(flatten(answer, ''));
}
