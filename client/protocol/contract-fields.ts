import { Type } from './schemas.ts';
import { OneOf, Shape, Share } from './shapes.ts';

/** What operations about contracts share. */

export const ContractType = OneOf(['proto', 'openapi']);
export const Tier = OneOf(
  ['declared', 'derived', 'heuristic'],
  'declared: a configuration or an import says so; derived: generated code, or code that makes a client or a server, names it; heuristic: names or routes are alike',
);
export const ContractPath = Type.String({
  minLength: 1,
  maxLength: 4096,
  description: 'Of the contract, from its repository’s root',
});
export const EdgeId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The edge' });
export const Heuristic = (description: string) => Type.Boolean({ description });

export const ContractRef = Shape({ repoId: Type.String(), path: Type.String() });

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
export const Role = OneOf(
  ['consumer', 'provider', 'dependent'],
  'consumer: calls it; provider: implements what a contract of another repository says; dependent: needs the file',
);
export const edgeFields = {
  edgeId: EdgeId,
  tier: Tier,
  confidence: Share('declared 1, derived 0.85, heuristic 0.6 at most; 1 once verified'),
  evidence: Type.String({ description: 'The best of it: file, line, and what is seen there' }),
};
export const edgeExtras = {
  service: Type.String({
    description: 'Fully qualified; empty where the file as a whole is depended upon, and of OpenAPI',
  }),
  role: Role,
  evidences: Type.Array(Evidence, { description: 'The first ten' }),
  evidenceCount: Type.Integer(),
  isTest: Type.Boolean({ description: 'Tests and tools alone' }),
  verified: Type.Boolean(),
};
export const exampleEdge = {
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
