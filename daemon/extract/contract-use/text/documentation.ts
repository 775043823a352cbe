/** How a language writes documentation as strings that stand for nothing else. */
export type DocumentationForm = 'python' | 'elixir';

/** Whether a string that begins at `at` documents something, and is as little code as a comment. */
export function isDocumentation(text: string, at: number, form: DocumentationForm): boolean {
  if (form === 'elixir') return /@(?:module|type)?doc[ \t]{1,5}(?:~[sS])?$/.test(text.slice(Math.max(0, at - 30), at));
  const before = text.slice(Math.max(0, at - longestIndentation), at);
  const start = at - before.length + before.lastIndexOf('\n') + 1;
  const isFirst = start === 0 || text[start - 1] === '\n';
  return isFirst && /^\s*[rRuUbB]?$/.test(text.slice(start, at)) && isStatement(text, start);
}

const longestIndentation = 200;

/**
 * Of Python: whether a line that begins with a string begins a statement too, by what the line above it with code ends with.
 * Lines that go on end with a mark, or with a word that joins.
 */
function isStatement(text: string, start: number): boolean {
  let end = start - 1;
  for (let lines = 0; lines < mostLines; lines++) {
    if (end < 0) return true;
    const from = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(Math.max(from, end - longestLine), end).trim();
    if (line !== '' && !line.startsWith('#')) return endsStatement(line.replace(/\s#.*$/, '').trimEnd());
    end = from - 1;
  }
  return false;
}

const mostLines = 100;
const longestLine = 1_000;

function endsStatement(line: string): boolean {
  if (line.endsWith(':')) return /^(?:class|def|async)\b|\)\s{0,5}(?:->[^\n]{0,300})?:$/.test(line);
  return /[\w)\]}]$/.test(line) && !/\b(?:and|or|not|in|is|if|else|return|yield|await|lambda)$/.test(line);
}
