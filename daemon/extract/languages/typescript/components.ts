/**
 * Files of frameworks that have code of TypeScript in them beside what they show: all else is blanked, so that positions stay.
 * Whatever of the code the rest uses (a template, a page) is not seen.
 */

/** Vue and Svelte: what stands in `<script>`, one after another. One of another file (`<script src>`) is an import of that. */
export function scriptsOf(source: string): string {
  const kept: Kept[] = [];
  for (const { index, 1: attributes, 2: inside } of source.matchAll(scripts)) {
    if (attributes === undefined) continue;
    const start = index + '<script'.length;
    const [, path] = /\ssrc\s*=\s*(["'][^"'\n]+["'])/.exec(attributes) ?? [];
    if (path === undefined) kept.push({ start: start + attributes.length + 1, text: inside ?? '' });
    else kept.push({ start: index, text: 'import' }, { start: start + attributes.indexOf(path), text: `${path};` });
  }
  return blankedBut(source, kept);
}

/** Astro: what stands between the lines of dashes that the file begins with, and in scripts. */
export function frontMatterOf(source: string): string {
  const [whole, before, inside] = /^(\s*---)([\s\S]*?)\n---/.exec(source) ?? [];
  if (whole === undefined) return scriptsOf(source);
  const rest = `${blank(whole)}${scriptsOf(source.slice(whole.length))}`;
  return `${blank(before!)}${inside!}${rest.slice(before!.length + inside!.length)}`;
}

/** MDX: statements that import, outside of fences. */
export function importsOf(source: string): string {
  const kept: Kept[] = [];
  for (const { index, 0: text } of source.matchAll(imports))
    if (text.startsWith('import')) kept.push({ start: index, text });
  return blankedBut(source, kept);
}

/** Whether the scripts have elements in them, as a program of TSX has. */
export function hasElements(source: string): boolean {
  return /<script\b[^>]*\slang\s*=\s*["']?[jt]sx\b/.test(source);
}

interface Kept {
  readonly start: number;
  readonly text: string;
}

const scripts = /<!--[\s\S]*?(?:-->|$)|<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)(?:<\/script\s*>|$)/gi;
const imports =
  /^(?:```|~~~)[\s\S]*?(?:^(?:```|~~~)|(?![\s\S]))|^import\s(?:[^'"`;]{0,2000}\sfrom\s)?\s*(?:"[^"\n]*"|'[^'\n]*')/gm;

/** Of a file without code a semicolon is left: a place for what the whole of it is. */
function blankedBut(source: string, kept: readonly Kept[]): string {
  let text = '';
  for (const one of kept) text += blank(source.slice(text.length, one.start)) + one.text;
  text += blank(source.slice(text.length));
  return text.trim() === '' ? text.replace(/[^\n\r]/, ';') : text;
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, ' ');
}
