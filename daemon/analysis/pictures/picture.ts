/** What is to be drawn: boxes and arrows between them. Pure data; whatever draws it decides how. */
export interface Picture {
  readonly title: string;
  /** What a node is called: `module`, `directory`, `file`; one of kind `package` is called so. */
  readonly noun: Noun;
  /** Where it is not of modules and their imports. */
  readonly words?: PictureWords;
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
}

export interface PictureWords {
  /** What an edge counts: `import`, `imports`. */
  readonly edge: Noun;
  /** What nodes of kind `outside` are, and faint edges. */
  readonly outside: string;
  readonly faint: string;
}

export const wordsOfCode: PictureWords = {
  edge: { one: 'import', many: 'imports' },
  outside: 'outside of what is shown',
  faint: 'types or tests alone',
};

export interface Noun {
  readonly one: string;
  readonly many: string;
}

export interface PictureNode {
  readonly label: string;
  /** Where it stands in the tree that large pictures are condensed by, outermost first. */
  readonly place: readonly string[];
  readonly fileCount: number;
  readonly loc: number;
  readonly kind: NodeKind;
}

/** `outside`: of this repository, and not of what the picture is of; `package`: somebody else's. */
export type NodeKind = 'inside' | 'test' | 'outside' | 'package';

export interface PictureEdge {
  /** Indexes into the nodes. */
  readonly from: number;
  readonly to: number;
  /** How many imports. */
  readonly strength: number;
  /** Nothing but types or tests needs it. */
  readonly isFaint: boolean;
  /** It is part of a cycle, as whoever tells of cycles has it. */
  readonly inCycle: boolean;
}

/** A picture small enough to be looked at, and what it leaves out. */
export interface Drawing {
  readonly title: string;
  readonly caption: string;
  readonly words: PictureWords;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Names of what nodes have in common; a node's `group` is an index, or -1. */
  readonly groups: readonly string[];
}

export interface DrawnNode {
  readonly label: string;
  /** Its size, in words. */
  readonly detail: string;
  readonly kind: NodeKind;
  readonly group: number;
  /** How many nodes of the picture it stands for. */
  readonly stands: number;
  /** Some of these reach one another in a cycle, without others. */
  readonly hasCycle: boolean;
}

export interface DrawnEdge extends Omit<PictureEdge, 'inCycle'> {
  /** It leads backwards: without such edges no way would lead back to where it began. */
  readonly isBack: boolean;
  /** It leads backwards and is part of a cycle: the weaker part, as far as that can be told. */
  readonly closesCycle: boolean;
}
