import type { DocumentationForm } from './documentation.ts';
import type { HeredocForm } from './heredocs.ts';

/** What comments and strings look like in a language, as far as telling them from code takes. */
export interface Lexis {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly nests?: true;
  /** What begins like a comment and is none. */
  readonly attributes?: string;
  /** The first whose `open` stands there counts: longer ones first. */
  readonly strings: readonly StringForm[];
  /** `/…/` after what no operand ends with is an expression. */
  readonly expressions?: true;
  readonly heredocs?: HeredocForm;
  readonly documentation?: DocumentationForm;
  /** A line behind which nothing is code. */
  readonly dataBelow?: string;
  /** Whether lines that begin with `#if` and the like tell what is code. */
  readonly preprocessor?: true;
}

export interface StringForm {
  readonly open: string;
  readonly close: string;
  /** What has to stand before it. */
  readonly before?: string;
  /** Whether it goes on over ends of lines; others end with their line, closed or not. */
  readonly long?: true;
  /** Whether a backslash takes what follows for itself. */
  readonly escapes?: true;
  /** Whether its mark stands in it where it is doubled. */
  readonly doubled?: true;
  /** Whether a word of its own may stand at its marks: `R"sql(…)sql"`. */
  readonly tagged?: true;
  /** Whether all marks of a row of them at its end are its own. */
  readonly greedy?: true;
  /** What begins an expression in it, up to the brace, or parenthesis, that closes it. */
  readonly hole?: '${' | '#{' | '{' | '\\(';
  /** At most one character, or one that is escaped; else the mark is none of a string: lifetimes of Rust. */
  readonly single?: true;
}

const slashes = ['//'];
const starred = [['/*', '*/']] as const;
const double: StringForm = { open: '"', close: '"', escapes: true };
const single: StringForm = { open: "'", close: "'", escapes: true };

export const goLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  strings: [double, single, { open: '`', close: '`', long: true }],
};

export const javaLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  strings: [{ open: '"""', close: '"""', long: true, escapes: true }, double, single],
};

export const kotlinLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  nests: true,
  strings: [
    { open: '"""', close: '"""', long: true, greedy: true, hole: '${' },
    { ...double, hole: '${' },
    { ...single, single: true },
  ],
};

export const csharpLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  strings: [
    // Raw ones end with as many marks as they began with.
    { open: '""""""', close: '""""""', long: true },
    { open: '"""""', close: '"""""', long: true },
    { open: '""""', close: '""""', long: true },
    { open: '"""', close: '"""', long: true },
    { open: '"', close: '"', before: '@', long: true, doubled: true },
    { open: '"', close: '"', before: '@$', long: true, doubled: true },
    { ...double, before: '$', hole: '{' },
    double,
    single,
  ],
  preprocessor: true,
};

export const cLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  strings: [{ open: '"', close: ')"', before: 'R', long: true, tagged: true }, double, { ...single, single: true }],
  preprocessor: true,
};

export const pythonLexis: Lexis = {
  lineComments: ['#'],
  blockComments: [],
  strings: [
    { open: '"""', close: '"""', long: true, escapes: true },
    { open: "'''", close: "'''", long: true, escapes: true },
    double,
    single,
  ],
  documentation: 'python',
};

export const javascriptLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  strings: [double, single, { open: '`', close: '`', long: true, escapes: true, hole: '${' }],
  expressions: true,
};

export const rubyLexis: Lexis = {
  lineComments: ['#'],
  blockComments: [['\n=begin', '\n=end']],
  strings: [{ ...double, hole: '#{' }, single],
  heredocs: 'ruby',
  dataBelow: '__END__',
};

export const phpLexis: Lexis = {
  lineComments: ['//', '#'],
  blockComments: starred,
  attributes: '#[',
  strings: [
    { ...double, long: true },
    { ...single, long: true },
  ],
  heredocs: 'php',
};

export const rustLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  nests: true,
  strings: [
    { open: '"', close: '"###', before: 'r###', long: true },
    { open: '"', close: '"##', before: 'r##', long: true },
    { open: '"', close: '"#', before: 'r#', long: true },
    { open: '"', close: '"', before: 'r', long: true },
    { ...double, long: true },
    { ...single, single: true },
  ],
};

export const dartLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  nests: true,
  strings: [
    { open: '"""', close: '"""', long: true, escapes: true, hole: '${' },
    { open: "'''", close: "'''", long: true, escapes: true, hole: '${' },
    { open: '"', close: '"', before: 'r' },
    { open: "'", close: "'", before: 'r' },
    { ...double, hole: '${' },
    { ...single, hole: '${' },
  ],
};

export const swiftLexis: Lexis = {
  lineComments: slashes,
  blockComments: starred,
  nests: true,
  strings: [
    { open: '"""', close: '"""', long: true, escapes: true },
    { ...double, hole: '\\(' },
  ],
  preprocessor: true,
};

export const elixirLexis: Lexis = {
  lineComments: ['#'],
  blockComments: [],
  strings: [
    { open: '"""', close: '"""', long: true, escapes: true },
    { open: "'''", close: "'''", long: true, escapes: true },
    { ...double, hole: '#{' },
    single,
  ],
  documentation: 'elixir',
};

export const erlangLexis: Lexis = { lineComments: ['%'], blockComments: [], strings: [double, single] };

export const xmlLexis: Lexis = { lineComments: [], blockComments: [['<!--', '-->']], strings: [] };

/** Of files that have neither comments nor strings that matter. */
export const plainLexis: Lexis = { lineComments: [], blockComments: [], strings: [] };
