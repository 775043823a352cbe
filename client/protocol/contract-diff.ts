import { ContractPath, ContractType, EdgeId, exampleEdge, Heuristic, Tier } from './contract-fields.ts';
import { exampleTime } from './examples.ts';
import { daemonRead, FederationName, MemberId } from './federation-fields.ts';
import { operation, withDefault } from './operation.ts';
import { Revision } from './revision.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, Share, Timestamp } from './shapes.ts';

/** What differs between two revisions of a contract. */

const ChangePlace = Shape({ path: Type.String(), line: Type.Integer({ minimum: 1 }), text: Type.String() });
const Change = Shape({
  id: Type.String({ description: 'The rule, such as field-deleted' }),
  severity: OneOf(['breaking', 'risky', 'safe']),
  compatibility: Type.Array(OneOf(['wire', 'json', 'source', 'request', 'response']), {
    description: 'What it breaks',
  }),
  subject: Type.String({ description: 'What changed, such as shop.v1.Cart.items' }),
  message: Type.String(),
  services: Type.Array(Type.String(), { description: 'Services that reach it' }),
  methods: Type.Array(Type.String(), { description: 'RPCs that reach it, such as shop.v1.CartService/GetCart' }),
  before: Maybe(ChangePlace),
  after: Maybe(ChangePlace),
  consumers: Type.Array(
    Shape({
      repoId: Type.String(),
      edgeId: EdgeId,
      service: Type.String(),
      tier: Tier,
      confidence: Share('Of the edge'),
      isTest: Type.Boolean({ description: 'Tests and tools alone' }),
      uses: Type.Array(Shape({ path: Type.String(), line: Type.Integer({ minimum: 1 }) }), {
        description: 'Where in its code, 20 at most',
      }),
      observedCalls: Type.Optional(
        Count(
          'Calls in the last 30 days of the functions around these, or else of those files, that production reported; left out where nothing is known of them',
        ),
      ),
    }),
    { description: 'Who is hit by it' },
  ),
});

export const contractDiff = {
  'contracts.diff': operation({
    summary: 'What differs between two revisions of a contract, what of it breaks whom',
    http: { method: 'POST', path: '/federations/:name/contracts/diff' },
    cli: {
      command: 'contracts diff <name> <repoId> <path>',
      examples: [
        'svc contracts diff shop cart proto/cart.proto --base main',
        'svc contracts diff shop cart api/openapi.yaml --base v1.2 --head v1.3',
      ],
    },
    input: Shape({
      name: FederationName,
      repoId: MemberId,
      path: ContractPath,
      base: Revision('The revision before: a branch, tag or commit'),
      head: Type.Optional(Revision('The one after; default: the files as they lie in the work tree')),
      includeHeuristic: withDefault(Heuristic('Also consumers whose names or routes alone are alike'), false),
    }),
    output: Shape({
      contract: Shape({ repoId: Type.String(), path: Type.String(), contractType: ContractType }),
      base: Shape({ revision: Type.String(), commit: Type.String(), exists: Type.Boolean() }),
      head: Shape({ revision: Type.String(), commit: Maybe(Type.String()), exists: Type.Boolean() }),
      changes: Type.Array(Change, { description: 'Breaking ones first' }),
      summary: Shape({
        breaking: Count(''),
        risky: Count(''),
        safe: Count(''),
        consumersHit: Type.Array(Type.String()),
      }),
      timestamp: Timestamp,
    }),
    faults: [
      'resourceNotFound',
      'fileNotFound',
      'invalidBody',
      'preconditionFailed',
      'unsupportedFile',
      'backendUnavailable',
    ],
    ...daemonRead,
    example: {
      input: { name: 'shop', repoId: 'cart', path: 'proto/cart.proto', base: 'main' },
      output: {
        contract: { repoId: 'cart', path: 'proto/cart.proto', contractType: 'proto' },
        base: { revision: 'main', commit: '8f3b1c2d4e5f60718293a4b5c6d7e8f901234567', exists: true },
        head: { revision: '', commit: null, exists: true },
        changes: [
          {
            ...{ id: 'field-deleted', severity: 'breaking', compatibility: ['wire', 'json', 'source'] },
            ...{
              subject: 'shop.internal.v1.Cart.items',
              message:
                'the field items was deleted, and its number 2 and its name items may be taken by another: reserve them',
            },
            ...{
              services: [exampleEdge.service],
              methods: ['shop.internal.v1.CartService/GetCart'],
              before: { path: 'proto/cart.proto', line: 14, text: 'repeated Item items = 2;' },
              after: null,
            },
            consumers: [
              {
                repoId: 'checkout',
                edgeId: exampleEdge.edgeId,
                service: exampleEdge.service,
                tier: 'derived',
                confidence: 0.85,
                isTest: false,
                uses: [{ path: 'src/cart-client.ts', line: 31 }],
                observedCalls: 15_230,
              },
            ],
          },
        ],
        summary: { breaking: 1, risky: 0, safe: 0, consumersHit: ['checkout'] },
        timestamp: exampleTime,
      },
    },
  }),
};
