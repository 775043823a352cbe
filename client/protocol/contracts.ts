import {
  ContractPath,
  ContractRef,
  ContractType,
  EdgeId,
  edgeExtras,
  edgeFields,
  exampleEdge,
  Heuristic,
  Role,
  Tier,
} from './contract-fields.ts';
import { exampleTime } from './examples.ts';
import { daemonRead, FederationName, MemberId, MemberLimit } from './federation-fields.ts';
import { inFormats, operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, Maybe, OneOf, Shape, Share, Timestamp, Warning } from './shapes.ts';

/** API contracts of a federation's repositories, and who depends on them. */

const Visibility = OneOf(['public', 'internal', 'unknown']);
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
    output: Shape({
      contracts: Type.Array(Contract),
      total: Count('All that fit'),
      warnings: Type.Optional(Type.Array(Warning)),
      timestamp: Timestamp,
    }),
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
