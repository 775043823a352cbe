import { table, type Views } from './view.ts';

/** How well languages are resolved. */
export const environmentViews: Views = {
  'environment.languages': ({ languages, summary, overallQuality }) =>
    table(
      ['language', 'tier', 'quality', 'files', 'symbols', 'references', 'sure', 'calls', 'resolved', 'call graph'],
      Object.values(languages).map(one => [
        one.displayName,
        one.tierName,
        one.quality,
        String(one.fileCount),
        String(one.symbolCount),
        String(one.refCount),
        percent(one.refAccuracy),
        String(one.callSiteCount),
        percent(one.callResolution),
        one.callGraphQuality,
      ]),
      [
        ...(Object.keys(languages).length === 0 ? [summary] : [`Overall: ${overallQuality}`]),
        ...Object.values(languages).flatMap(({ displayName, knownIssues }) =>
          knownIssues.map(issue => `${displayName}: ${issue}`),
        ),
        ...new Set(Object.values(languages).flatMap(({ recommendations }) => recommendations)),
      ],
      ['call graph', 'symbols', 'tier', 'calls', 'references', 'files'],
    ),
};

/** Whole, downwards: 100 % is all of them. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
