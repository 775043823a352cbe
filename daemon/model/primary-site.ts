import { isVendored } from './foreign.ts';

/** What decides which of a symbol's sites is shown as the symbol. */
export interface SiteTraits {
  readonly path: string;
  readonly isTest: boolean;
  readonly hasBody: boolean;
}

/**
 * The site that a reader more likely means comes first: one with a body before a declaration; of those, one at fewer
 * places aside (tests, other people's code, examples and stand-ins); then by path.
 */
export function compareSites(a: SiteTraits, b: SiteTraits): number {
  const worth = Number(b.hasBody) - Number(a.hasBody) || asides(a) - asides(b);
  return worth || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

const standIn =
  /(?:^|\/)(?:stubs?|mocks?|fakes?|examples?|samples?|demos?|contrib|etc|docs?)\/|(?:^|[/._-])(?:stubs?|mocks?|fakes?|dummy)(?=[._-][^/]*$)/i;

function asides({ path, isTest }: SiteTraits): number {
  return Number(isTest) + Number(isVendored(path)) + Number(standIn.test(path));
}
