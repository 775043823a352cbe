/** How a language writes texts that begin on the line below and end with a line of their own. */
export type HeredocForm = 'ruby' | 'php';

export interface Heredoc {
  /** Behind the mark; what follows in its line is code. */
  readonly end: number;
  readonly label: string;
  /** Whether its last line may be indented. */
  readonly isIndented: boolean;
}

/** The text's mark at an offset: `<<~SQL`, `<<-'SQL'`, `<<SQL`, `<<<EOT`. */
export function heredocAt(text: string, at: number, form: HeredocForm): Heredoc | undefined {
  const head = text.slice(at, at + 120);
  if (form === 'php') {
    const [whole = '', , label] = /^<<<[ \t]{0,10}(["']?)([A-Za-z_]\w{0,80})\1(?=[ \t]{0,10}\r?\n)/.exec(head) ?? [];
    return label === undefined ? undefined : { end: at + whole.length, label, isIndented: true };
  }
  const [whole = '', mark, quote, label] = /^<<([~-]?)(["'`]?)([A-Za-z_]\w{0,80})\2/.exec(head) ?? [];
  if (label === undefined) return undefined;
  // Without a mark it looks as what puts something into something else.
  if (mark === '' && (!/[\s(=,[{]/.test(text[at - 1] ?? '\n') || (quote === '' && !/^[A-Z]/.test(label))))
    return undefined;
  return { end: at + whole.length, label, isIndented: mark !== '' };
}

/** Where texts end, as offsets of the line that ends them and behind it. */
export type HeredocEnds = (
  heredoc: Heredoc,
  from: number,
) => { readonly from: number; readonly to: number } | undefined;

/** All lines that may end one are found at once; they are asked for in the order of the text. */
export function heredocEnds(text: string, form: HeredocForm): HeredocEnds {
  const known = new Map<string, { readonly places: { from: number; to: number }[]; next: number }>();
  const note = (key: string, from: number, to: number): void => {
    const one = known.get(key) ?? { places: [], next: 0 };
    one.places.push({ from, to });
    known.set(key, one);
  };
  const pattern =
    form === 'php'
      ? /^([ \t]{0,200})([A-Za-z_]\w{0,80})(?!\w)/gm
      : /^([ \t]{0,200})([A-Za-z_]\w{0,80})(?=[ \t]{0,20}\r?$)/gm;
  for (const match of text.matchAll(pattern)) {
    const [whole, indentation, label] = match;
    const to = match.index + whole.length;
    note(`~${label!}`, match.index, to);
    if (indentation === '') note(label!, match.index, to);
  }
  return ({ label, isIndented }, from) => {
    const of = known.get(isIndented ? `~${label}` : label);
    if (of === undefined) return undefined;
    while (of.next < of.places.length && of.places[of.next]!.from < from) of.next++;
    return of.places[of.next];
  };
}
