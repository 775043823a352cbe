/** Decision records (ADRs): what a document says of a decision, whatever format it is written in. */

export type DecisionStatus = 'proposed' | 'accepted' | 'deprecated' | 'superseded';

/** Michael Nygard's template, and the generations of MADR: metadata in a list up to 2, in front matter from 3 on. */
export type DecisionFormat = 'nygard' | 'madr2' | 'madr3' | 'madr4';

/** Sections that mean something here, whatever they are called. */
export type SectionKind = 'status' | 'date' | 'context' | 'decision' | 'consequences' | 'modules' | 'links';

export interface DecisionSection {
  readonly heading: string;
  readonly level: number;
  readonly kind: SectionKind | undefined;
  /** As it stands in the document, with `\n` for line ends and no blank lines around it. */
  readonly text: string;
}

/** What a document says of another: `superseded by`, `supersedes`, or its own words (`amends`, `refines`). */
export interface DecisionLink {
  readonly relation: string;
  readonly label: string;
  /** Where it leads as written; empty where a number alone names the other. */
  readonly target: string;
}

export interface DecisionProblem {
  readonly code: DecisionProblemCode;
  /** In public words. */
  readonly message: string;
}

export type DecisionProblemCode =
  | 'no_title'
  | 'unknown_status'
  | 'bad_date'
  | 'future_date'
  | 'id_mismatch'
  | 'number_out_of_range'
  | 'duplicate_id'
  | 'front_matter_unclosed'
  | 'not_utf8'
  | 'cut'
  | 'missing_target'
  | 'supersedes_itself'
  | 'superseded_cycle';

/** What the bytes of one document say: a pure function of them. */
export interface DecisionText {
  /** The document itself, so much of it as is read. */
  readonly content: string;
  /** Undefined where there is none. */
  readonly title: string | undefined;
  /** Numbers that the text gives itself, in digits without leading zeros: in its title, in its metadata. */
  readonly numbers: readonly string[];
  readonly status: DecisionStatus;
  /** What stands there for a status; empty where nothing does. */
  readonly rawStatus: string;
  /** ISO 8601 UTC. */
  readonly date: string | undefined;
  readonly modules: readonly string[];
  readonly links: readonly DecisionLink[];
  /** All names and values of the front matter and of the list below the title, as they stand there. */
  readonly metadata: readonly (readonly [string, string])[];
  readonly sections: readonly DecisionSection[];
  /** It has a status, a context or a decision: what has none is a page about something else, unless its name is numbered. */
  readonly isDecision: boolean;
  readonly style: DocumentStyle;
  readonly problems: readonly DecisionProblem[];
}

/** What the items of a list begin with. */
export const bullets = ['-', '*', '+'] as const;
export type Bullet = (typeof bullets)[number];

/** How a new document is written. */
export interface DecisionStyle {
  /** Undefined where it is none of those that are known. */
  readonly format: DecisionFormat | undefined;
  readonly lineEnd: '\n' | '\r\n';
  /** Headings of the first two levels are underlined. */
  readonly isUnderlined: boolean;
  /** Of lists in sections. */
  readonly bullet: Bullet;
  /** Of the list between title and sections, in formats that have one; undefined: as those in sections. */
  readonly metadataBullet: Bullet | undefined;
  /** The status begins with a capital letter. */
  readonly isCapital: boolean;
  /** How the number stands in the title: `ADR-012: ` is `ADR-`, 3 and `: `. Undefined where the title has none. */
  readonly titleNumber: NumberStyle | undefined;
  /** What sections are called, by what they mean. */
  readonly headings: { readonly [Kind in SectionKind]?: string };
}

/** How a document is written. */
export interface DocumentStyle extends Omit<DecisionStyle, 'bullet'> {
  /** How many lists of its sections have which bullet; lists within lists don't count. */
  readonly lists: Readonly<Record<Bullet, number>>;
}

export interface NumberStyle {
  readonly before: string;
  /** Digits at least, with leading zeros. */
  readonly width: number;
  readonly after: string;
}

/** What the name of a file says. */
export interface DecisionName {
  /** The name without `adr-` before it and without its ending. */
  readonly stem: string;
  /** The digits that it begins with, without leading zeros; undefined where there are none, and of a date. */
  readonly digits: string | undefined;
  /** `2020-01-31`, where it begins with a date. */
  readonly date: string | undefined;
  readonly naming: DecisionNaming | undefined;
}

/** How names of files are made: `adr-0012-some-title.md`, or `20200131-some-title.md`. */
export type DecisionNaming =
  | {
      readonly kind: 'number';
      readonly number: NumberStyle;
      readonly wordGap: string;
      readonly ending: string;
    }
  | {
      readonly kind: 'date';
      /** Between year, month and day. */
      readonly dateGap: string;
      readonly after: string;
      readonly wordGap: string;
      readonly ending: string;
    };

/** Numbers past this are a slip of the pen or a date: no later decision counts on from them. */
export const greatestNumber = 999_999;

/** `ADR-012`: the id of a decision by its number; `ADR-backend/012` in a category, which has numbers of its own. */
export function numberedId(digits: string, category = ''): string {
  return `ADR-${category}${digits.padStart(3, '0')}`;
}
