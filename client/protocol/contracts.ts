import { exampleTime } from './examples.ts';
import { FederationName, MemberId, MemberLimit } from './federation.ts';
import { inFormats, operation, withDefault } from './operation.ts';
import { Revision } from './revision.ts';
import { Type } from './schemas.ts';
import { Count, expects, Maybe, OneOf, Shape, Share, Timestamp } from './shapes.ts';

/** API contracts of a federation's repositories, and who depends on them. */

const ContractType = OneOf(['proto', 'openapi']);
const Visibility = OneOf(['public', 'internal', 'unknown']);
const Tier = OneOf(
  ['declared', 'derived', 'heuristic'],
  'declared: a configuration or an import says so; derived: generated code, or code that makes a client or a server, names it; heuristic: names or routes are alike',
);
const ContractPath = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Of the contract, from its repository’s root',
});
const EdgeId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The edge' });
const Heuristic = (description: string) => Type.Boolean({ description });

const ContractRef = Shape({ repoId: Type.String(), path: Type.String() });

const Contract = Shape({
  repoId: Type.String(),
  path: Type.String(),
  contractType: ContractType,
  visibility: Visibility,
  lastModified: Timestamp,
  visibilityReason: Type.String({ description: 'What says so' }),
  name: Type.String({ description: 'The package of a .proto file, the title of an OpenAPI document' }),
  version: Type.String({ description: 'The syntax or edition; of OpenAPI the version of the API' }),
  services: Type.Array(Type.String(), { description: 'Fully qualified; of OpenAPI none' }),
  operationCount: Count('RPCs, or operations'),
  typeCount: Count('Messages and enums; of OpenAPI 0'),
  providers: Type.Array(Type.String(), { description: 'Repositories that implement some of it' }),
  copies: Type.Array(ContractRef, {
    description: 'Contracts of other repositories that declare some of the same services',
  }),
  owners: Type.Array(Type.String()),
  problem: Maybe(Type.String({ description: 'Why it could not be read to its end, with the line' })),
});
const exampleContract = {
  ...{ repoId: 'cart', path: 'proto/cart.proto', contractType: 'proto' as const, visibility: 'internal' as const },
  ...{ lastModified: exampleTime, visibilityReason: 'its package shop.internal.v1 says internal' },
  ...{ name: 'shop.internal.v1', version: 'proto3', services: ['shop.internal.v1.CartService'], operationCount: 3 },
  ...{ typeCount: 7, providers: ['cart'], copies: [], owners: ['@acme/cart'], problem: null },
};

const Evidence = Shape({
  file: Type.String({ description: 'Of the repository that depends' }),
  line: Type.Integer({ minimum: 1 }),
  seen: Type.String({ description: 'The line, trimmed, at most 200 characters' }),
  kind: Type.String({
    description: 'generated, stub-import, client, server, load, generator, dependency, import, copy, route …',
  }),
  moduleId: Type.String(),
  isTest: Type.Boolean(),
});
const Role = OneOf(
  ['consumer', 'provider', 'dependent'],
  'consumer: calls it; provider: implements what a contract of another repository says; dependent: needs the file',
);
const edgeFields = {
  edgeId: EdgeId,
  tier: Tier,
  confidence: Share('declared 1, derived 0.85, heuristic 0.6 at most; 1 once verified'),
  evidence: Type.String({ description: 'The best of it: file, line, and what is seen there' }),
};
const edgeExtras = {
  service: Type.String({
    description: 'Fully qualified; empty where the file as a whole is depended upon, and of OpenAPI',
  }),
  role: OneOf(['consumer', 'provider', 'dependent'], 'provider: implements what a contract of another repository says'),
  evidences: Type.Array(Evidence, { description: 'The first ten' }),
  evidenceCount: Type.Integer(),
  isTest: Type.Boolean({ description: 'Tests and tools alone' }),
  verified: Type.Boolean(),
};
const exampleEdge = {
  ...{ edgeId: 2_251_799_813_685, tier: 'derived' as const, confidence: 0.85 },
  evidence: 'main.go:88: cart := cartpb.NewCartServiceClient(conn)',
  ...{
    service: 'shop.internal.v1.CartService',
    role: 'consumer' as const,
    evidenceCount: 1,
    isTest: false,
    verified: false,
  },
  evidences: [
    {
      file: 'main.go',
      line: 88,
      seen: 'cart := cartpb.NewCartServiceClient(conn)',
      kind: 'client',
      moduleId: '@root',
      isTest: false,
    },
  ],
};

const Mark = Shape({
  by: Type.String({ description: 'Who asked for it' }),
  at: Timestamp,
  reason: Maybe(Type.String()),
});

const Edge = Shape({
  ...edgeFields,
  from: Type.String({ description: 'The repository that depends' }),
  contract: ContractRef,
  providers: Type.Array(Type.String(), { description: 'Repositories that implement the service' }),
  ...edgeExtras,
  suppressed: Maybe(Mark),
  verification: Maybe(Mark),
});

const Dependency = Shape({
  repoId: Type.String(),
  contracts: Type.Array(Type.String(), { description: 'Paths of contracts' }),
  tier: Tier,
  confidence: Share('Of the surest edge'),
  services: Type.Array(Type.String()),
  roles: Type.Array(Role, { description: 'What the one that depends does with them' }),
  isTest: Type.Boolean({ description: 'Tests and tools alone' }),
  edgeIds: Type.Array(EdgeId),
});

const daemonRead = { effect: 'read', scope: 'daemon' } as const;
const daemonWrite = { effect: 'write', scope: 'daemon' } as const;
const edgeInput = Shape({ name: FederationName, edgeId: EdgeId });
const edgeFaults = ['resourceNotFound', 'storageFailed'] as const;

const ChangePlace = Shape({ path: Type.String(), line: Type.Integer({ minimum: 1 }), text: Type.String() });
const Change = Shape({
  id: Type.String({ description: 'The rule, such as field-removed' }),
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
    }),
    { description: 'Who is hit by it' },
  ),
});

export const contracts = {
  'contracts.list': operation({
    summary: 'The API contracts of a federation: .proto files and OpenAPI documents',
    http: { method: 'GET', path: '/federations/:name/contracts' },
    cli: {
      command: 'contracts list <name>',
      examples: ['svc contracts list shop --contract-type proto --visibility public'],
    },
    input: Shape({
      name: FederationName,
      repoId: Type.Optional(Type.With(MemberId, { description: 'Only those of this repository' })),
      contractType: Type.Optional(ContractType),
      visibility: Type.Optional(Visibility),
      limit: MemberLimit,
    }),
    output: Shape({ contracts: Type.Array(Contract), total: Count('All that fit'), timestamp: Timestamp }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: { input: { name: 'shop' }, output: { contracts: [exampleContract], total: 1, timestamp: exampleTime } },
  }),
  'contracts.impact': operation({
    summary: 'What a change of a contract hits: its consumers, theirs, and the owners on both sides',
    http: { method: 'POST', path: '/federations/:name/contracts/impact' },
    cli: {
      command: 'contracts impact <name> <repoId> <path>',
      examples: ['svc contracts impact shop cart proto/cart.proto'],
    },
    input: Shape({
      name: FederationName,
      repoId: MemberId,
      path: ContractPath,
      includeTransitive: withDefault(
        Type.Boolean({ description: 'Also who consumes what its consumers provide' }),
        true,
      ),
      includeHeuristic: withDefault(Heuristic('Also where names or routes alone are alike'), false),
      maxDepth: withDefault(
        Type.Integer({ minimum: 1, maximum: 10, description: 'How far consumers are followed' }),
        3,
      ),
    }),
    output: Shape({
      contract: Shape({ repoId: Type.String(), path: Type.String(), visibility: Visibility }),
      directConsumers: Type.Array(
        Shape({ repoId: Type.String(), ...edgeFields, ...edgeExtras, owners: Type.Array(Type.String()) }),
      ),
      transitiveConsumers: Type.Array(
        Shape({
          repoId: Type.String(),
          depth: Type.Integer({ minimum: 2 }),
          path: Type.Array(Type.String(), { description: 'Repositories, from the contract’s to this one' }),
          confidence: Share('Of all steps together'),
        }),
      ),
      riskAssessment: Shape({
        level: OneOf(['low', 'medium', 'high', 'critical']),
        factors: Type.Array(Type.String()),
      }),
      ownership: Shape({ contractOwners: Type.Array(Type.String()), affectedOwners: Type.Array(Type.String()) }),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', repoId: 'cart', path: 'proto/cart.proto' },
      output: {
        contract: { repoId: 'cart', path: 'proto/cart.proto', visibility: 'internal' },
        directConsumers: [{ repoId: 'checkout', ...exampleEdge, owners: ['@acme/checkout'] }],
        transitiveConsumers: [
          { repoId: 'frontend', depth: 2, path: ['cart', 'checkout', 'frontend'], confidence: 0.72 },
        ],
        riskAssessment: { level: 'medium', factors: ['1 repository depends on it directly', '1 more indirectly'] },
        ownership: { contractOwners: ['@acme/cart'], affectedOwners: ['@acme/checkout', '@acme/web'] },
        timestamp: exampleTime,
      },
    },
  }),
  'contracts.deps': operation({
    summary: 'Who consumes what a repository provides, and what it depends on itself',
    http: { method: 'GET', path: '/federations/:name/contracts/deps' },
    cli: {
      command: 'contracts deps <name> <repoId>',
      examples: ['svc contracts deps shop checkout --direction dependencies'],
    },
    input: Shape({
      name: FederationName,
      repoId: MemberId,
      direction: withDefault(OneOf(['consumers', 'dependencies', 'both']), 'both'),
      moduleId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'Only what this module of the repository declares or uses',
        }),
      ),
      includeHeuristic: withDefault(Heuristic('Also where names or routes alone are alike'), false),
    }),
    output: Shape({
      repoId: Type.String(),
      consumers: Type.Array(Dependency),
      dependencies: Type.Array(Dependency),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop', repoId: 'cart' },
      output: {
        repoId: 'cart',
        consumers: [
          {
            ...{ repoId: 'checkout', contracts: ['proto/cart.proto'], tier: 'derived', confidence: 0.85 },
            ...{ services: [exampleEdge.service], roles: ['consumer'], isTest: false, edgeIds: [exampleEdge.edgeId] },
          },
        ],
        dependencies: [],
        timestamp: exampleTime,
      },
    },
  }),
  'contracts.stats': operation({
    summary: 'How many contracts and edges a federation has, by type, visibility and tier',
    http: { method: 'GET', path: '/federations/:name/contracts/stats' },
    cli: { command: 'contracts stats <name>' },
    input: Shape({ name: FederationName }),
    output: Shape({
      totalContracts: Count(''),
      byType: Shape({ proto: Count(''), openapi: Count('') }),
      byVisibility: Shape({ public: Count(''), internal: Count(''), unknown: Count('') }),
      totalEdges: Count('Suppressed ones aside'),
      edgesByTier: Shape({ declared: Count(''), derived: Count(''), heuristic: Count('') }),
      suppressedEdges: Count(''),
      verifiedEdges: Count(''),
      timestamp: Timestamp,
    }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop' },
      output: {
        ...{
          totalContracts: 3,
          byType: { proto: 2, openapi: 1 },
          byVisibility: { public: 1, internal: 1, unknown: 1 },
        },
        ...{ totalEdges: 4, edgesByTier: { declared: 1, derived: 2, heuristic: 1 }, suppressedEdges: 0 },
        ...{ verifiedEdges: 1, timestamp: exampleTime },
      },
    },
  }),
  'contracts.edges': operation({
    summary: 'The edges of a federation: who depends on which contract, and what shows it',
    http: { method: 'GET', path: '/federations/:name/contracts/edges' },
    cli: {
      command: 'contracts edges <name>',
      examples: ['svc contracts edges shop --tier heuristic', 'svc contracts edges shop --suppressed'],
    },
    input: Shape({
      name: FederationName,
      repoId: Type.Optional(Type.With(MemberId, { description: 'Only edges from or to this repository' })),
      service: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Only edges to this service' })),
      tier: Type.Optional(Tier),
      suppressed: withDefault(Type.Boolean({ description: 'The suppressed ones in place of the others' }), false),
      limit: MemberLimit,
    }),
    output: Shape({ edges: Type.Array(Edge), total: Count('All that fit'), timestamp: Timestamp }),
    faults: ['resourceNotFound'],
    ...daemonRead,
    example: {
      input: { name: 'shop' },
      output: {
        edges: [
          {
            ...exampleEdge,
            ...{ from: 'checkout', contract: { repoId: 'cart', path: 'proto/cart.proto' }, providers: ['cart'] },
            ...{ suppressed: null, verification: null },
          },
        ],
        total: 1,
        timestamp: exampleTime,
      },
    },
  }),
  'contracts.suppress': operation({
    summary: 'Say that an edge is none: it is left out from now on, whatever later synchronisations find',
    http: { method: 'POST', path: '/federations/:name/contracts/edges/:edgeId/suppress' },
    cli: {
      command: 'contracts suppress <name> <edgeId>',
      examples: ['svc contracts suppress shop 2251799813685 --reason "a test fixture"'],
    },
    input: Shape({
      name: FederationName,
      edgeId: EdgeId,
      reason: Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: '\\S',
        description: 'Why',
        [expects]: 'must be text of 1 to 1000 characters that is not blank',
      }),
    }),
    output: Shape({ edgeId: EdgeId, suppressed: Type.Literal(true), reason: Type.String(), timestamp: Timestamp }),
    faults: edgeFaults,
    ...daemonWrite,
  }),
  'contracts.unsuppress': operation({
    summary: 'Take a suppression back',
    http: { method: 'DELETE', path: '/federations/:name/contracts/edges/:edgeId/suppress' },
    cli: { command: 'contracts unsuppress <name> <edgeId>' },
    input: edgeInput,
    output: Shape({ edgeId: EdgeId, suppressed: Type.Literal(false), timestamp: Timestamp }),
    faults: edgeFaults,
    ...daemonWrite,
  }),
  'contracts.verify': operation({
    summary: 'Say that an edge is right: it counts as sure from now on, whatever later synchronisations find',
    http: { method: 'POST', path: '/federations/:name/contracts/edges/:edgeId/verify' },
    cli: { command: 'contracts verify <name> <edgeId>' },
    input: edgeInput,
    output: Shape({
      edgeId: EdgeId,
      verified: Type.Literal(true),
      previousConfidence: Share(''),
      newConfidence: Share(''),
      timestamp: Timestamp,
    }),
    faults: edgeFaults,
    ...daemonWrite,
  }),
  'contracts.unverify': operation({
    summary: 'Take a verification back',
    http: { method: 'DELETE', path: '/federations/:name/contracts/edges/:edgeId/verify' },
    cli: { command: 'contracts unverify <name> <edgeId>' },
    input: edgeInput,
    output: Shape({
      edgeId: EdgeId,
      verified: Type.Literal(false),
      previousConfidence: Share(''),
      newConfidence: Share(''),
      timestamp: Timestamp,
    }),
    faults: edgeFaults,
    ...daemonWrite,
  }),
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
            ...{ id: 'field-removed', severity: 'breaking', compatibility: ['wire', 'json', 'source'] },
            ...{
              subject: 'shop.internal.v1.Cart.items',
              message: 'Field 2, items, is gone, and its number is not reserved.',
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
              },
            ],
          },
        ],
        summary: { breaking: 1, risky: 0, safe: 0, consumersHit: ['checkout'] },
        timestamp: exampleTime,
      },
    },
  }),
  'contracts.graph': inFormats(
    {
      field: 'format',
      media: { json: 'application/json', svg: 'image/svg+xml', dot: 'text/vnd.graphviz', mermaid: 'text/vnd.mermaid' },
    },
    operation({
      summary: 'A picture of a federation: its services, and which contracts connect them',
      http: { method: 'GET', path: '/federations/:name/contracts/graph' },
      cli: { command: 'contracts graph <name>', examples: ['svc contracts graph shop --format svg > shop.svg'] },
      input: Shape({
        name: FederationName,
        includeHeuristic: withDefault(Heuristic('Also edges of names or routes that are alike'), false),
        format: withDefault(OneOf(['json', 'svg', 'dot', 'mermaid'], 'JSON, or a picture'), 'json'),
      }),
      output: Shape({
        nodes: Type.Array(
          Shape({
            repoId: Type.String(),
            contracts: Count('Its contracts'),
            services: Type.Array(Type.String(), { description: 'What it provides' }),
          }),
        ),
        edges: Type.Array(
          Shape({
            from: Type.String({ description: 'The repository that depends' }),
            to: Type.String(),
            services: Type.Array(Type.String()),
            tier: Tier,
            confidence: Share('Of the surest'),
          }),
        ),
        timestamp: Timestamp,
      }),
      faults: ['resourceNotFound', 'notAcceptable'],
      ...daemonRead,
      example: {
        input: { name: 'shop' },
        output: {
          nodes: [
            { repoId: 'cart', contracts: 1, services: [exampleEdge.service] },
            { repoId: 'checkout', contracts: 0, services: [] },
          ],
          edges: [{ from: 'checkout', to: 'cart', services: [exampleEdge.service], tier: 'derived', confidence: 0.85 }],
          timestamp: exampleTime,
        },
      },
    }),
  ),
};
