/**
 * A place in a document that names code: an inline code span, a line of fenced code, or a directive. Lines and columns are
 * 1-based, columns in UTF-16 code units of the source.
 */
export interface Mention {
  readonly kind: 'inline' | 'fence' | 'directive';
  /** As it is written, its marks left out and cut where it is long. */
  readonly rawText: string;
  /** The parts of the name, outermost first, without generic arguments: at least one. */
  readonly names: readonly string[];
  /** How many of them, the last ones, stand in the text: what comes before, imports tell. */
  readonly written: number;
  readonly line: number;
  /** Where the name begins as it is written, and where it ends. */
  readonly column: number;
  readonly endColumn: number;
  /** Parentheses follow. */
  readonly isCall: boolean;
  /** What stands between its last two parts: `.`, `::`, `#`, `->`, `/` or `\`; '' of one part. */
  readonly separator: string;
  /** Of fenced code, as extractors call it; '' elsewhere. */
  readonly language: string;
  /** What fenced code imports the first part from, as that is written: `./app.ts`, `fastify`, `github.com/spf13/cobra`. */
  readonly from?: string;
  /** The file of the repository that this is, where documents are linked and it is there: what else has the name is not meant. */
  readonly file?: string;
  /** The address elsewhere that a link around it leads to. */
  readonly linkedTo?: string;
  /** Whose the text before it says that it is, of inline code: `Django` of “Django’s `Model`”. */
  readonly whose?: string;
  /** Index of the heading that it stands under; -1 above the first. */
  readonly heading: number;
}

/** A place in a document that names a file or a folder. */
export interface PathMention extends Pick<Mention, 'line' | 'column' | 'endColumn' | 'heading'> {
  /** `link`: where a link leads; `code`: a code span that looks like one. */
  readonly kind: 'link' | 'code';
  /** Without the anchor or the line behind it. */
  readonly rawText: string;
}

/** A place in a document that names a route of HTTP: `POST /orders/:id`, `curl -X POST http://localhost:8080/orders`. */
export interface RouteMention extends Pick<Mention, 'rawText' | 'line' | 'column' | 'endColumn' | 'heading'> {
  readonly kind: 'inline' | 'fence';
  /** What stands at the place: of a command its address alone. */
  readonly written: string;
  /** In capitals. */
  readonly method: string;
  /** Without its host and what is asked of it, with `{}` for each parameter. */
  readonly path: string;
  /** The same path as it is written. */
  readonly template: string;
  /** The host before it is neither this machine nor made up: it may be anybody's. */
  readonly isFar?: true;
}

/** `<!-- svc:module ID -->`. */
export interface ModuleMention {
  readonly module: string;
  readonly directive: string;
  readonly line: number;
}

/** A name that a directive says is a symbol's, where that says it first. */
export interface KnownName {
  readonly name: string;
  readonly line: number;
}

/** What the code of a document has for itself, in one language. */
export interface OwnCode {
  /** As extractors name it; '' where nobody says. */
  readonly language: string;
  /** What it defines. */
  readonly defined: readonly string[];
  /** What its callbacks are handed. */
  readonly parameters: readonly string[];
}

/** A comment that begins as a directive does, and is none: `<!-- svc:modul src -->`. */
export type MisspeltDirective = Pick<ModuleMention, 'directive' | 'line'>;

/** What a Markdown document says of code: a function of its bytes. */
export interface DocumentMentions {
  readonly headings: readonly string[];
  readonly mentions: readonly Mention[];
  readonly paths: readonly PathMention[];
  readonly routes: readonly RouteMention[];
  readonly modules: readonly ModuleMention[];
  readonly misspelt: readonly MisspeltDirective[];
  /** Names that are symbols wherever the document has them in code: `<!-- svc:known_symbols A B -->`. */
  readonly known: readonly KnownName[];
  readonly code: readonly OwnCode[];
  /** Its words of small letters outside code, each once, with spaces between. */
  readonly words: string;
  /** Why nothing of it was read; '' where it was. */
  readonly trouble: '' | 'changelog' | 'too large' | 'too deep' | 'too many' | 'unreadable';
  /** There is more of some kind than is listed. */
  readonly isCut: boolean;
}

export function nothingSaid(trouble: DocumentMentions['trouble']): DocumentMentions {
  const nothing = {
    headings: [],
    mentions: [],
    paths: [],
    routes: [],
    modules: [],
    misspelt: [],
    known: [],
    code: [],
    words: '',
  };
  return { ...nothing, trouble, isCut: false };
}
