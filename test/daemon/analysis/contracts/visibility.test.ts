import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibilityOf } from '../../../../daemon/analysis/contracts/visibility.ts';
import { contractIn } from '../../../../daemon/extract/api-contract/contract-in.ts';

const proto = (text = ''): string => `syntax = "proto3";\npackage acme.shop.v1;\n${text}`;
const api = (text: string): string => `openapi: 3.0.0\npaths: {}\n${text}`;

const rows: readonly (readonly [path: string, text: string, visibility: string, reason: string, module?: string])[] = [
  ['proto/cart.proto', proto(), 'unknown', 'neither its path nor its text says whom it is for'],
  ['internal/proto/cart.proto', proto(), 'internal', 'it lies in the folder internal'],
  ['pkg/private/cart.proto', proto(), 'internal', 'it lies in the folder private'],
  ['internal/public/cart.proto', proto(), 'public', 'it lies in the folder public'],
  ['docs/public-api/x.yaml', api(''), 'public', 'it lies in the folder public-api'],
  ['docs/internal.yaml', api(''), 'internal', 'it is called internal.yaml'],
  ['docs/internal_public.yaml', api(''), 'internal', 'it is called internal_public.yaml'],
  ['docs/international.yaml', api(''), 'unknown', 'neither its path nor its text says whom it is for'],
  ['api/cart.proto', proto(), 'public', 'it lies in the folder api'],
  ['api/internal/cart.proto', proto(), 'internal', 'it lies in the folder internal'],
  ['proto/a.proto', 'package acme.internal.v1;', 'internal', 'its package acme.internal.v1 has the part internal'],
  ['proto/a.proto', proto(), 'public', 'its module is published as buf.build/acme/shop', 'buf.build/acme/shop'],
  ['internal/a.proto', proto(), 'internal', 'it lies in the folder internal', 'buf.build/acme/shop'],
  [
    'public/a.proto',
    proto('option (google.api.api_visibility).restriction = "INTERNAL";'),
    'internal',
    'it says (google.api.api_visibility).restriction = INTERNAL (line 3)',
  ],
  [
    'a.proto',
    proto('service A { option (google.api.api_visibility) = { restriction: "INTERNAL" }; }\nservice B {}'),
    'unknown',
    'neither its path nor its text says whom it is for',
  ],
  [
    'third_party/google/api/http.proto',
    'package google.api;',
    'unknown',
    'it lies in third_party, with copies of what others publish',
  ],
  [
    'proto/google/api/http.proto',
    'package google.api;',
    'unknown',
    'it is a copy of what is published as google/api/http.proto',
  ],
  ['google/api/public/ours.proto', proto(), 'public', 'it lies in the folder public'],
  ['a.yaml', api('x-internal: true\n'), 'internal', 'it says x-internal: true (line 3)'],
  [
    'internal/a.yaml',
    api('info: {x-audience: external-public}\n'),
    'public',
    'it says x-audience: external-public (line 3)',
  ],
  [
    'a.yaml',
    api('info: {x-audience: company-internal}\n'),
    'internal',
    'it says x-audience: company-internal (line 3)',
  ],
  ['a.yaml', api('info: {title: Shop Internal API}\n'), 'internal', 'its title is Shop Internal API (line 3)'],
  [
    'api/a.yaml',
    api('servers: [{url: "http://localhost:8080/v1"}, {url: "http://carts.shop.svc.cluster.local"}, {url: /v1}]\n'),
    'internal',
    'it is served where nobody outside gets, at http://localhost:8080/v1 (line 3)',
  ],
  [
    'a.yaml',
    api('servers: [{url: "http://10.1.2.3"}, {url: "https://api.acme.com"}]\n'),
    'public',
    'it is served at https://api.acme.com (line 3)',
  ],
  [
    'a.yaml',
    api('servers: [{url: "https://api.example.com"}]\n'),
    'unknown',
    'neither its path nor its text says whom it is for',
  ],
  [
    'a.yaml',
    api('servers: [{url: "https://{host}/v1"}]\n'),
    'unknown',
    'neither its path nor its text says whom it is for',
  ],
  [
    'a.json',
    '{"swagger": "2.0", "host": "petstore.swagger.io", "paths": {}}',
    'public',
    'it is served at https://petstore.swagger.io (line 1)',
  ],
];

for (const [path, text, visibility, reason, module] of rows) {
  test(`whom a contract is for: ${path} ${reason}`, () => {
    const outline = contractIn(path, Buffer.from(text))?.outline;
    assert.ok(outline !== undefined);
    const found = visibilityOf(path, outline, module === undefined ? {} : { module });
    assert.deepEqual(found, { visibility, reason });
  });
}
