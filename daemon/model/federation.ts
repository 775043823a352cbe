import type { BufModules, ContractOutline, ContractUse, ContractUseKind, ContractVisibility } from './contract.ts';

/** Repositories that are asked about together. */
export interface Federation {
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  /** Milliseconds. */
  readonly createdAt: number;
  /** By their ids. */
  readonly members: readonly Member[];
}

export interface Member {
  /** A UUID: that of a repository that is registered here, else made of the path. */
  readonly repoUid: string;
  /** Its id in the federation, where it is unique. */
  readonly repoId: string;
  readonly kind: 'repository' | 'path';
  /** Of its work tree; '' of one that has none. */
  readonly path: string;
  readonly tags: readonly string[];
  /** Milliseconds. */
  readonly addedAt: number;
}

/** What somebody has said of an edge. It stays, whatever later synchronisations find. */
export interface EdgeMark {
  readonly edgeId: number;
  readonly mark: 'suppressed' | 'verified';
  readonly by: string;
  /** Milliseconds. */
  readonly at: number;
  /** Of a suppression. */
  readonly reason: string | undefined;
}

/** What is known of one repository: a function of its tree, its history and what its people are called. */
export interface MemberRows {
  readonly modules: readonly MemberModule[];
  /** In the order of their strength: of CODEOWNERS the last rule that fits counts. */
  readonly ownership: readonly MemberOwnership[];
  /** The hottest first. */
  readonly hotspots: readonly MemberHotspot[];
  readonly decisions: readonly MemberDecision[];
  /** By path: of files that contracts are declared and used in. */
  readonly files: Readonly<Record<string, MemberFile>>;
}

export interface MemberModule {
  readonly moduleId: string;
  readonly name: string;
  readonly responsibility: string;
  readonly capabilities: readonly string[];
  readonly confidence: number;
  readonly language: string;
  /** '' where nobody is known. */
  readonly ownerRef: string;
}

export interface MemberOwner {
  readonly identity: string;
  readonly scope: 'maintainer' | 'reviewer' | 'contributor';
  readonly source: 'codeowners' | 'git-blame' | 'git-log';
  readonly confidence: number;
}

export interface MemberOwnership {
  readonly pattern: string;
  readonly owners: readonly MemberOwner[];
}

export interface MemberHotspot {
  readonly targetId: string;
  readonly score: number;
  readonly churnCommits30d: number;
  readonly complexityCyclomatic: number;
  readonly language: string;
}

export interface MemberDecision {
  readonly id: string;
  readonly title: string;
  readonly status: 'proposed' | 'accepted' | 'deprecated' | 'superseded';
  readonly createdAt: string;
  readonly affectedModules: readonly string[];
  readonly path: string;
  /** Title and text, made ready to be searched. */
  readonly searched: { readonly title: string; readonly text: string };
}

export interface MemberFile {
  /** Who owns it, the first of them first. */
  readonly owners: readonly string[];
  /** When a commit changed it last, milliseconds; undefined where none did. */
  readonly committedAt?: number;
  readonly moduleId: string;
}

/** The contracts that a repository declares, and what its files show of contracts that they use. */
export interface MemberContracts {
  readonly declared: readonly DeclaredContract[];
  readonly uses: readonly PlacedUse[];
  readonly bufs: readonly { readonly path: string; readonly modules: BufModules }[];
  /** Files of code that is not generated. */
  readonly codeFiles: number;
  /** Files or uses past the bounds were left out. */
  readonly isCut: boolean;
  /** Contracts, by their names, that could not be read, and folders that could not be looked into. */
  readonly unread: readonly string[];
}

export interface DeclaredContract {
  readonly path: string;
  readonly hash: string;
  readonly outline: ContractOutline;
  readonly visibility: ContractVisibility;
  readonly visibilityReason: string;
  /** Of the file, milliseconds: counts where no commit changed it. */
  readonly modifiedAt: number;
  /** Why it could not be read to its end. */
  readonly problem?: string;
}

export interface PlacedUse extends ContractUse {
  /** The file that shows it: `file` is the one that it names. */
  readonly at: string;
  readonly isTest: boolean;
}

/** A member as contracts are linked over all of them. */
export interface LinkedMember {
  readonly uid: string;
  /** Its id in the federation: hosts are mostly called so. */
  readonly name: string;
  readonly contracts: MemberContracts;
}

export type EdgeTier = 'declared' | 'derived' | 'heuristic';
export type EdgeRole = 'consumer' | 'provider' | 'dependent';

export interface ContractKey {
  /** Of the repository. */
  readonly uid: string;
  readonly path: string;
}

/** Who depends on a contract of another repository, and what shows it. */
export interface ContractEdge {
  /** Made of all that the edge is, so that it is the same whatever was synchronised when. */
  readonly id: number;
  /** The repository that depends. */
  readonly from: string;
  readonly contract: ContractKey;
  /** Fully qualified; '' where the file as a whole is meant, and of OpenAPI. */
  readonly service: string;
  readonly role: EdgeRole;
  readonly tier: EdgeTier;
  readonly confidence: number;
  /** Repositories that implement the service. */
  readonly providers: readonly string[];
  /** The best first. */
  readonly evidence: readonly EdgeEvidence[];
}

export interface EdgeEvidence {
  readonly file: string;
  readonly line: number;
  readonly seen: string;
  readonly kind: ContractUseKind | 'import' | 'copy';
  readonly isTest: boolean;
  /**
   * Of calls of an OpenAPI document’s routes: the operations that they fit, the names of parameters left out: `GET /carts/{}`. Not
   * told in answers.
   */
  readonly operations?: readonly string[];
  /** Of what takes some types of a `.proto` file alone: these, without the package. Not told in answers. */
  readonly types?: readonly string[];
}

/** Whether a file lies among those that a repository has taken over from others. */
export function isVendored(path: string): boolean {
  return (
    /(?:^|\/)(?:third[_-]?party|vendor(?:ed)?|external|node_modules|googleapis|deps)\//i.test(path) || isStandard(path)
  );
}

/** Whether a `.proto` file is Google's, gRPC's or a common tool's, below a folder: their own repositories have it at the root. */
export function isStandard(path: string): boolean {
  return /\/(?:google\/(?:api|cloud|iam|logging|longrunning|protobuf|pubsub|rpc|type)|grpc\/(?:health|reflection|channelz|lb|lookup|binarylog)|buf\/validate|protoc-gen-(?:openapiv2|swagger)\/options|gogoproto|opentelemetry\/proto|envoy|xds|udpa)\/|\/validate\/validate\.proto$/.test(
    path,
  );
}
