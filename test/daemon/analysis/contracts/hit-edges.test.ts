import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiChanges } from '../../../../daemon/analysis/contracts/breaking/openapi/compare-openapi.ts';
import { compareProtos } from '../../../../daemon/analysis/contracts/breaking/proto/compare-proto.ts';
import { hitEdges, typesReached } from '../../../../daemon/analysis/contracts/hit-edges.ts';
import { linkContracts } from '../../../../daemon/analysis/contracts/link-contracts.ts';
import { membersIn } from '../../../support/contract-members.ts';
import { openApi } from './changed-documents.ts';
import { sideOf } from './changed-protos.ts';

const widgets = `openapi: 3.0.3
info: { title: Widgets, version: '1' }
paths:
  /widgets: { get: { responses: {} }, post: { responses: {} } }
  /widgets/{id}: { get: { responses: { 200: { content: { application/json: { schema: { type: object } } } } } } }
  /widgets/{id}/parts: { get: { responses: {} }, delete: { responses: {} } }
`;

const takes = typesReached(new Map());

/** Each calls the document by what its name says. */
const callers = `
-- widgets/api.yaml --
${widgets}
-- deleting/.uses --
{"kind":"route-call","method":"DELETE","path":"/widgets/{}/parts","at":"a.py"}
-- generated/.uses --
{"kind":"generator","file":"../widgets/api.yaml","at":"gen.yaml"}
-- listing/.uses --
{"kind":"route-call","method":"GET","path":"/Widgets/","host":"widgets","at":"a.py"}
-- of-any-method/.uses --
{"kind":"route-call","method":"","path":"/widgets/{}/parts","at":"a.py"}
-- one-line/.uses --
{"kind":"route-call","method":"POST","path":"/widgets","host":"widgets","at":"a.py"}
{"kind":"route-call","method":"GET","path":"/widgets/17","host":"widgets","at":"a.py"}
`;

/** What is written in place of what, and by each change who is hit. */
const rows: readonly (readonly [says: string, was: string, is: string, hit: readonly string[]])[] = [
  [
    'an operation that went',
    ', delete: { responses: {} }',
    '',
    ['DELETE /widgets/{id}/parts: deleting generated of-any-method'],
  ],
  [
    'another of the same path',
    '/parts: { get: { responses: {} }, ',
    '/parts: { ',
    ['GET /widgets/{id}/parts: generated of-any-method'],
  ],
  [
    'one of another path, whatever letters it is called in',
    '/widgets: { get: { responses: {} }, ',
    '/widgets: { ',
    ['GET /widgets: generated listing'],
  ],
  [
    'two calls on one line are of two operations',
    'post: { responses: {} }',
    'post: { requestBody: { required: true, content: {} }, responses: {} }',
    ['POST /widgets request: generated one-line'],
  ],
  [
    'a parameter that is called anew is the same to those who call',
    '/widgets/{id}: { get: { responses: { 200: ',
    '/widgets/{name}: { get: { responses: { 201: ',
    ['GET /widgets/{id} response 200: generated one-line'],
  ],
  [
    'where all of it moves all are hit',
    'paths:',
    'servers: [{ url: /v2 }]\npaths:',
    ['/: deleting generated listing of-any-method one-line'],
  ],
];

for (const [says, was, is, hit] of rows) {
  test(`who is hit: ${says}`, () => {
    const path = 'api.yaml';
    const after = widgets.replace(was, is);
    assert.notEqual(after, widgets);
    const { edges } = linkContracts(membersIn(callers));
    const changes = openApiChanges({ path, schema: openApi(widgets) }, { path, schema: openApi(after) });
    const told = changes
      .map(change => {
        const from = hitEdges(change, { contracts: [{ uid: 'widgets', path }], edges, takes }).map(edge => edge.from);
        return `${change.subject}: ${from.sort().join(' ')}`;
      })
      .filter(line => !line.endsWith(': '));
    assert.deepEqual(told, hit);
  });
}

test('who is hit: by what is in another file, whoever calls the path by that method, or by one that nobody knows', () => {
  const path = 'api.yaml';
  const split = "openapi: 3.0.3\ninfo: { title: S }\npaths: { '/split/things/{id}': { $ref: parts.yaml } }\n";
  const { edges } = linkContracts(
    membersIn(`
-- split/api.yaml --
${split}
-- any/.uses --
{"kind":"route-call","method":"","path":"/split/things/{}","at":"a.py"}
-- deleting/.uses --
{"kind":"route-call","method":"DELETE","path":"/split/things/{}","at":"a.py"}
-- reading/.uses --
{"kind":"route-call","method":"GET","path":"/split/things/{}","at":"a.py"}
`),
  );
  const [before, after] = ['{ get: {}, delete: {} }', '{ get: {} }'].map(parts =>
    openApi(split, { 'parts.yaml': parts }),
  );
  const [change] = openApiChanges({ path, schema: before! }, { path, schema: after! });
  const hit = hitEdges(change!, { contracts: [{ uid: 'split', path }], edges, takes }).map(({ from }) => from);
  assert.deepEqual([change!.subject, hit], ['DELETE /split/things/{id}', ['any', 'deleting']]);
});

test('who is hit: all by a document that went, and each once, though it is looked at twice', () => {
  const path = 'api.yaml';
  const { edges } = linkContracts(membersIn(callers));
  const [change] = openApiChanges({ path, schema: openApi(widgets) }, { path, schema: undefined });
  assert.deepEqual(
    hitEdges(change!, { contracts: [{ uid: 'widgets', path }], edges: [...edges, ...edges], takes }),
    edges,
  );
  assert.equal(edges.length, 5);
});

test('who is hit: of those that take some types of a file, who has the one that changes in what is taken', () => {
  const common = `syntax = "proto3";
package acme.common.v1;
message Money { Currency currency = 1; int64 units = 2; }
message Currency { string code = 1; }
message Address { string street = 1; }
`;
  const importing = (fields: string, kind = ''): string =>
    `syntax = "proto3";\npackage acme.app;\nimport ${kind}"acme/common/v1/common.proto";\n${fields}\n`;
  const members = (text: string) =>
    membersIn(`
-- schemas/acme/common/v1/common.proto --
${text}
-- paying/a.proto --
${importing('message Pay { acme.common.v1.Money money = 1; }')}
-- sending/a.proto --
${importing('message Send { map<string, common.v1.Address> to = 1; }')}
-- asking/a.proto --
${importing('service Ask { rpc Where(In) returns (.acme.common.v1.Address); } message In {}')}
-- idle/a.proto --
${importing('')}
-- handing/a.proto --
${importing('message Pay { acme.common.v1.Money money = 1; }', 'public ')}
-- java/A.java --
import com.acme.common.v1.Address;
import acme.common.v1.Address;
class A {}
`);
  const path = 'acme/common/v1/common.proto';
  const { edges } = linkContracts(members(common));
  const hitBy = (after: string): readonly string[] => {
    const { changes, within } = compareProtos(sideOf(common, ''), sideOf(after, ''));
    return changes.map(change => {
      const hit = hitEdges(change, {
        contracts: [{ uid: 'schemas', path }],
        edges,
        takes: typesReached(within),
      });
      return `${change.id}: ${hit
        .map(({ from }) => from)
        .sort()
        .join(' ')}`;
    });
  };
  assert.deepEqual(hitBy(common.replace('string code = 1;', 'int32 code = 1;')), [
    'field-type-changed: handing idle paying',
  ]);
  assert.deepEqual(hitBy(common.replace('string street = 1;', '')), [
    'field-deleted: asking handing idle java sending',
  ]);
  assert.deepEqual(hitBy(common.replace('package acme.common.v1;', 'package acme.common.v2;')), [
    'package-changed: asking handing idle java paying sending',
  ]);
});
