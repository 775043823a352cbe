/** An element of XML as its opening tag tells it. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** What stands between its opening tag and the next tag, trimmed. */
  readonly text: string;
  /** What it stands in; undefined at the top, and below `maxDepth`, where nobody is told of what stands there. */
  readonly outer: XmlElement | undefined;
  /** How many elements it stands in. */
  readonly depth: number;
}

/** Elements that lie deeper are told of as if they stood at this depth. */
export const maxXmlDepth = 40;

/**
 * The elements of a text of XML in their order, without a parser: comments and CDATA are passed over, entities but the
 * five of XML stay as they are, a closing tag closes what it can. Takes time in proportion to the text, whatever it is.
 */
export function* xmlElements(source: string): Iterable<XmlElement> {
  const open: XmlElement[] = [];
  for (const { index, 0: whole, 1: closing, 2: name, 3: written = '', 4: empty } of source.matchAll(tags)) {
    if (name === undefined) continue;
    if (closing === '/') {
      const at = open.findLastIndex(one => one.name === name);
      if (at >= 0) open.length = at;
      continue;
    }
    const text = empty === '/' ? '' : textFrom(source, index + whole.length);
    const element = { name, attributes: attributesOf(written), text, outer: open.at(-1), depth: open.length };
    if (empty !== '/' && open.length < maxXmlDepth) open.push(element);
    yield element;
  }
}

/** The names of what an element stands in and its own, outermost first: `project/build/plugins`. */
export function xmlPath(element: XmlElement): string {
  const names: string[] = [];
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.outer) names.push(at.name);
  return names.reverse().join('/');
}

const tags =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([\w.:-]+)(?![\w.:-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>/g;

function attributesOf(written: string): ReadonlyMap<string, string> {
  const found = [...written.matchAll(/(?<![\w.:-])([\w.:-]+)(?![\w.:-])\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(found.map(([, name, double, single]) => [name!, unescaped(double ?? single ?? '').trim()]));
}

function textFrom(source: string, start: number): string {
  const end = source.indexOf('<', start);
  return unescaped(source.slice(start, end < 0 ? source.length : end)).trim();
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name]!);
}
