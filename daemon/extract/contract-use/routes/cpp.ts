import type { Found, Source } from '../text/source.ts';
import { type RouteForm, routesBy } from './forms.ts';
import { receiversBy } from './receivers.ts';

/** libcurl, cpr, cpp-httplib and the C++ REST SDK; Crow and what httplib serves. */
export function* cppRoutes(source: Source): Iterable<Found> {
  if (/CURLOPT_URL|cpr::|httplib|cpprest|crow::|CROW_ROUTE|Pistache/.test(source.text)) yield* routesBy(source, forms);
}

/** `httplib::Client c("…")`, `std::unique_ptr<httplib::Client> c`, `auto c = std::make_unique<httplib::Client>("…")`. */
const ofHttplib = receiversBy(
  [
    /\bhttplib::(?<type>\w{1,40})\s{0,5}[>&*]{0,3}\s{1,5}[&*]{0,2}(?<name>[A-Za-z_]\w{0,60})\s{0,5}[;({,)=]/g,
    /(?<!\w)(?<name>[A-Za-z_]\w{0,60})\s{0,5}=\s{0,5}(?:new\s{1,5}|std::make_(?:unique|shared)<)?httplib::(?<type>\w{1,40})/g,
  ],
  type => /^(?:SSL)?Client$/.test(type),
);

const forms: readonly RouteForm[] = [
  { kind: 'route-call', pattern: /\bcurl_easy_setopt\s{0,5}\((?=[^,()]{1,100},\s{0,20}CURLOPT_URL\b)/g, argument: 2 },
  { kind: 'route-call', pattern: /\bcpr::(?<method>Get|Post|Put|Patch|Delete)(?:Async)?\s{0,5}\(/g },
  { kind: 'route-call', pattern: /(?:\.|->)SetUrl\s{0,5}\((?=\s{0,20}cpr::Url\b)/g },
  {
    kind: 'route-call',
    pattern: /\b(?:cli|client|http_client)(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g,
  },
  {
    kind: 'route-call',
    pattern: /(?<!\w)(?<receiver>[A-Za-z_]\w{0,60})(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g,
    receivers: ofHttplib,
  },
  {
    kind: 'route-call',
    pattern:
      /\bhttplib::(?:SSL)?Client\s{0,5}[({][^(){}]{0,200}(?:\([^()]{0,100}\)[^(){}]{0,100})?[)}]\s{0,20}\.(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g,
  },
  {
    kind: 'route-call',
    pattern: /(?<!\w)\w{0,40}client_?(?:\.|->)request\s{0,5}\((?=\s{0,20}(?:web::http::|http::)?methods::)/gi,
    argument: 1,
    methodArgument: 0,
  },
  { kind: 'route', pattern: /\b(?:svr|server|srv)(?:\.|->)(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g, least: 2 },
  { kind: 'route', pattern: /\bCROW_(?:BP_)?ROUTE\s{0,5}\(/g, argument: 1 },
  { kind: 'route', pattern: /\bRoutes::(?<method>Get|Post|Put|Patch|Delete)\s{0,5}\(/g, argument: 1 },
];
