/** More quotes and lists in one another than this nobody writes, and they take time with the square of their depth. */
const mostNesting = 40;
/** Of a line with the mark of a list or quote: characters before what it says. */
const widestLead = 200;

/** Counts the marks that begin quotes and lists at the start of each line. */
export function isTooDeep(source: string): boolean {
  for (const line of source.split('\n')) {
    const [lead = ''] = /^[ \t>*+-]{0,4000}/.exec(line) ?? [];
    let marks = 0;
    for (const sign of lead) if (sign === '>' || sign === '*' || sign === '+' || sign === '-') marks++;
    const isRule = /^[ \t]{0,3}([*+-])[ \t*+-]{0,4000}$/.test(line) && !lead.includes('>');
    const isDeep = lead.length > widestLead && marks > 0;
    if ((isDeep || marks > mostNesting) && !isRule) return true;
  }
  return false;
}

/**
 * The text of a document as it is parsed: each line ends in one sign, no mark of the byte order begins the first, and settings
 * above the text, as generators of sites have them, are blanked. All else stays where it is.
 */
export function readableText(source: string): string {
  const text = source
    .replace(/^\uFEFF/, ' ')
    .replace(/\r\n/g, ' \n')
    .replace(/\r/g, '\n');
  const [matter = ''] = /^ ?---[ \t]{0,20}\n[\s\S]{0,20000}?\n---[ \t]{0,20}(?=\n|$)/.exec(text) ?? [];
  return matter === '' ? text : matter.replace(/[^\n]/g, ' ') + text.slice(matter.length);
}
