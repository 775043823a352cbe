/** A name as text has it. Offsets are from the start of that text. */
export interface WrittenName {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly separator: string;
  readonly isCall: boolean;
}

const lead =
  /^\s{0,8}(?:(?:export|public|abstract|async|await|new|class|struct|enum|trait|interface|type|function|func|fn|def|throw|impl|extends)\s{1,8}){0,3}[@&*]?/;
const part = /[\p{L}_$][\p{L}\p{N}_$]{0,127}/uy;
const between = /\.|::|#|->|\?\.|\\|\/(?=[\p{L}_$])/uy;
/** What may follow a name: a call, what a value is made of, the mark of a macro. */
const tail = /^(?:[!?]?\(.*\)|!|\s?\{.*\}|\(\))?\s{0,4};?\s{0,4}$/s;
const mostParts = 12;

/**
 * The name that a code span is: `Foo.bar()`, `pkg::Type<T>`, `new Foo(options)`, `<Link to="/">`. Undefined where it says
 * anything else, such as an expression, a command, a literal or `key: value`.
 */
export function writtenName(text: string): WrittenName | undefined {
  if (text.length > 300) return undefined;
  const element = /^\s?<\/?(?=\p{Lu}[\p{L}\p{N}_.]{0,100}(?:\s[^<>]{0,200})?\s?\/?>$)/u.exec(text);
  const start = element === null ? lead.exec(text)![0].length : element[0].length;
  const found = nameAt(text, start);
  if (found === undefined) return undefined;
  const rest = text.slice(found.after);
  if (element === null && !tail.test(rest)) return undefined;
  return { ...found.name, isCall: element === null && /^[!?]?\(/.test(rest) };
}

/** The longest name at a place, and where what belongs to it ends. */
function nameAt(
  text: string,
  start: number,
): { readonly name: Omit<WrittenName, 'isCall'>; readonly after: number } | undefined {
  const names: string[] = [];
  let [at, end, separator, after] = [start, start, '', start];
  for (;;) {
    const name = match(part, text, at);
    if (name === '' || names.length === mostParts) return undefined;
    names.push(name);
    end = at + name.length;
    after = genericEnd(text, end);
    const next = match(between, text, after);
    if (next === '') return { name: { names, start, end, separator }, after };
    separator = next === '?.' ? '.' : next;
    at = after + next.length;
  }
}

/** Where generic arguments end that begin at a place; the place itself where none do. */
function genericEnd(text: string, at: number): number {
  const begin = text.startsWith('::<', at) ? at + 2 : at;
  if (text[begin] !== '<') return at;
  let depth = 0;
  for (let index = begin; index < text.length; index++) {
    if (text[index] === '<') depth++;
    else if (text[index] === '>' && text[index - 1] !== '-' && --depth === 0) return index + 1;
  }
  return at;
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** How names of files end that no member of anything is called as. */
const fileEndings =
  /\.(?:d\.[cm]?ts|[cm]?[jt]sx?|json[5c]?|mdx?|markdown|pyi?|go|rs|java|kts?|cc|cpp|hpp|cs|rb|php|sh|bash|ya?ml|toml|ini|cfg|txt|html?|css|s[ac]ss|less|svg|png|jpe?g|gif|vue|svelte|astro|xml|gradle|sql|proto|graphql|lock|wasm|exe|dll|zip|gz|rst|adoc|csv|env)$/i;

/**
 * The path that a code span is, without the line or anchor behind it; undefined where it can be none. A path has a slash
 * or ends as files do.
 */
export function writtenPath(text: string): string | undefined {
  const [path = ''] = /^[^\s:#?*<>|"'`,;=&^\\]{1,300}/.exec(text) ?? [];
  const rest = text.slice(path.length);
  if (path === '' || !/^(?:$|:\d{1,7}(?::\d{1,5})?$|#L?\d|#[\w-]{1,100}$)/.test(rest)) return undefined;
  if (/[()$]/.test(path) || path.startsWith('//') || /^@?[\w-]{1,80}\/?$/.test(path)) return undefined;
  const isFile = fileEndings.test(path);
  return isFile || path.includes('/') ? path : undefined;
}

/** Whether a name with dots is rather that of a file: `app.ts`, `package.json`. */
export function isFileName(text: string): boolean {
  return fileEndings.test(text);
}
