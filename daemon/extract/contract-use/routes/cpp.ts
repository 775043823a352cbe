import type { Found, Source } from '../text/source.ts';
import { type RouteForm, routesBy } from './forms.ts';

/** libcurl, cpr and cpp-httplib; Crow and what httplib serves. */
export function* cppRoutes(source: Source): Iterable<Found> {
  if (/CURLOPT_URL|cpr::|httplib|crow::|CROW_ROUTE|Pistache/.test(source.text)) yield* routesBy(source, forms);
}

const forms: readonly RouteForm[] = [
  { kind: 'route-call', pattern: /\bcurl_easy_setopt\s{0,5}\(/g, argument: 2 },
  { kind: 'route-call', pattern: /\bcpr::(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g },
  {
    kind: 'route-call',
    pattern: /\b(?:cli|client|http_client)(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g,
  },
  { kind: 'route', pattern: /\b(?:svr|server|srv)(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\bCROW_(?:BP_)?ROUTE\s{0,5}\(/g, argument: 1 },
  { kind: 'route', pattern: /\bRoutes::(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g, argument: 1 },
];
