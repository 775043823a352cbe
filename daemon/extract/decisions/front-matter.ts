/** Names and values before a document, and where its text begins. */
export interface FrontMatter {
  /** In their order, names as they are written; a list is a value of several. */
  readonly entries: readonly FrontMatterEntry[];
  /** Index of the first line behind it: 0 where there is none. */
  readonly bodyLine: number;
  /** No line ends it: what stands up to the first heading or blank line is taken for it. */
  readonly isOpen: boolean;
}

export interface FrontMatterEntry {
  readonly name: string;
  readonly values: readonly string[];
  /** Written as a list, be it of one. */
  readonly isList: boolean;
}

const none: FrontMatter = { entries: [], bodyLine: 0, isOpen: false };
/** Nobody writes more, or longer ones, by hand. */
const mostLines = 500;
const longestLine = 4096;

/**
 * Reads YAML front matter line by line, as much of it as decision records have: names with a text, with `[a, b]` or with
 * items below. Anchors, aliases and tags are text like any other: nothing is expanded, so that nothing can grow.
 */
export function frontMatter(lines: readonly string[]): FrontMatter {
  if (!/^---[ \t]*$/.test(lines[0] ?? '')) return none;
  const last = lines.slice(1, mostLines).findIndex(line => /^(?:---|\.\.\.)[ \t]*$/.test(line)) + 1;
  if (last > 0) return { entries: entriesOf(lines.slice(1, last)), bodyLine: last + 1, isOpen: false };
  const end = lines.slice(1, mostLines).findIndex(line => line.trim() === '' || /^#{1,6}[ \t]/.test(line)) + 1;
  const within = end > 0 ? end : Math.min(lines.length, mostLines);
  const entries = entriesOf(lines.slice(1, within));
  // A line on top that parts nothing: no name stands below it.
  return entries.length === 0 ? none : { entries, bodyLine: within, isOpen: true };
}

function entriesOf(lines: readonly string[]): readonly FrontMatterEntry[] {
  const entries: { readonly name: string; readonly values: string[]; isList: boolean }[] = [];
  let isBlock = false;
  for (const whole of lines) {
    const line = whole.slice(0, longestLine);
    const named = /^([^\s:#'"-][^:]{0,99}?)[ \t]*:(?:[ \t]+(.*))?$/.exec(line);
    const entry = entries.at(-1);
    if (named !== null) {
      const value = uncommented(named[2] ?? '');
      isBlock = /^[|>][+-]?\d?$/.test(value);
      const values = isBlock || value === '' ? [] : valuesOf(value);
      entries.push({ name: named[1]!, values, isList: value.startsWith('[') });
      continue;
    }
    const item = isBlock ? null : /^\s*-(?:[ \t]+(.*))?$/.exec(line);
    if (entry === undefined || line.trim() === '' || /^\s*#/.test(line)) continue;
    if (item !== null) {
      entry.isList = true;
      entry.values.push(unquoted(uncommented(item[1] ?? '')));
    }
    // A value that goes on, in a block or folded.
    else if (/^\s/.test(line)) {
      entry.values.splice(-1, 1, [...entry.values.slice(-1), line.trim()].join(isBlock ? '\n' : ' '));
    }
  }
  return entries;
}

/** What stands behind ` #`, outside of quotes, is a comment. */
function uncommented(value: string): string {
  const text = value.trim();
  if (/^["'[]/.test(text)) return text.replace(/(["'\]])[ \t]+#.*$/, '$1');
  return text.replace(/(?:^|[ \t])#.*$/, '').trim();
}

function valuesOf(text: string): string[] {
  const list = /^\[(.*)\]$/.exec(text);
  return list === null
    ? [unquoted(text)]
    : itemsOf(list[1]!)
        .map(unquoted)
        .filter(item => item !== '');
}

/** What commas part, but for those in quotes. */
function itemsOf(text: string): readonly string[] {
  return (text.match(/(?:[^,"']|"(?:[^"\\]|\\.)*"|'[^']*'|["'])+/g) ?? []).map(item => item.trim());
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length >= 2 && trimmed.startsWith("'") && trimmed.endsWith("'")) {
    return trimmed.slice(1, -1).replaceAll("''", "'");
  }
  if (trimmed.length < 2 || !trimmed.startsWith('"') || !trimmed.endsWith('"')) return trimmed;
  try {
    // What JSON and YAML have in common, which is what is written.
    return String(JSON.parse(trimmed));
  } catch {
    return trimmed.slice(1, -1);
  }
}

/** A value as it is written into front matter. */
export function frontMatterText(value: string): string {
  const isWord = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  return isWord ? value : JSON.stringify(value);
}
