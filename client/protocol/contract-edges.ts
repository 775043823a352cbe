import { ContractRef, EdgeId, edgeExtras, edgeFields, exampleEdge, Tier } from './contract-fields.ts';
import { exampleTime } from './examples.ts';
import { daemonRead, daemonWrite, FederationName, MemberId, MemberLimit } from './federation-fields.ts';
import { operation, withDefault } from './operation.ts';
import { Type } from './schemas.ts';
import { Count, expects, Maybe, Shape, Share, Timestamp } from './shapes.ts';

/** Edges between repositories and contracts, and what people say of them. */

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

const edgeInput = Shape({ name: FederationName, edgeId: EdgeId });
const edgeFaults = ['resourceNotFound', 'storageFailed'] as const;

export const contractEdges = {
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
};
