import type { ApiScheme } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, mapOf, textOf, textsOf } from '../document/nodes.ts';
import { followed } from './references.ts';

/** By the names of a document's security schemes what each has clients do; one that says nothing known is not among them. */
export type SchemesRead = ReadonlyMap<string, readonly string[]>;

export function schemesIn(root: DocumentNode, version: string): SchemesRead {
  const node = version === '2.0' ? at(root, 'securityDefinitions') : at(at(root, 'components'), 'securitySchemes');
  const schemes = new Map<string, readonly string[]>();
  for (const [name, { value }] of mapOf(node).entries) {
    const ways = waysOf(followed(root, value));
    if (ways.length > 0) schemes.set(name, ways);
  }
  return schemes;
}

/** What one alternative of `security` asks for, by name. */
export function schemesOf(alternative: DocumentNode, schemes: SchemesRead): readonly ApiScheme[] {
  return [...mapOf(alternative).entries]
    .map(([name, { value }]) => ({ name, scopes: [...textsOf(value)].sort(), ways: schemes.get(name) ?? [] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** That of version 2 in the words of version 3. What a scheme's text says of itself is for people. */
function waysOf(scheme: DocumentNode | undefined): readonly string[] {
  const said = (key: string): string => textOf(at(scheme, key)) ?? '';
  const type = said('type');
  if (type === 'basic') return ['http basic'];
  if (type === 'http') return [`http ${said('scheme').toLowerCase()}`];
  if (type === 'apiKey') {
    const [place, name] = [said('in'), said('name')];
    return [`apiKey in ${place} ${place === 'header' ? name.toLowerCase() : name}`];
  }
  if (type === 'oauth2') return flowsOf(scheme);
  if (type === 'openIdConnect') return [`openIdConnect ${said('openIdConnectUrl')}`];
  return type === '' ? [] : [type];
}

const flowNames = ['implicit', 'password', 'clientCredentials', 'authorizationCode', 'deviceAuthorization'];
const oldFlowNames: ReadonlyMap<string, string> = new Map([
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

/** Each flow with the addresses that it goes by; a client follows one of them. */
function flowsOf(scheme: DocumentNode | undefined): readonly string[] {
  const old = textOf(at(scheme, 'flow'));
  if (old !== undefined) return flowOf(oldFlowNames.get(old) ?? old, scheme);
  const flows = at(scheme, 'flows');
  const told = flowNames.flatMap(name => (at(flows, name) === undefined ? [] : flowOf(name, at(flows, name))));
  return told.length === 0 ? ['oauth2'] : told;
}

/** Where tokens are renewed counts for itself: that it is told at last takes nothing from anybody. */
function flowOf(name: string, flow: DocumentNode | undefined): readonly string[] {
  const addresses = ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl'].flatMap(key => {
    const url = textOf(at(flow, key));
    return url === undefined ? [] : [`${key} ${url}`];
  });
  const refreshUrl = textOf(at(flow, 'refreshUrl'));
  return [
    ['oauth2', name, ...addresses].join(' '),
    ...(refreshUrl === undefined ? [] : [`oauth2 ${name} refreshUrl ${refreshUrl}`]),
  ];
}
