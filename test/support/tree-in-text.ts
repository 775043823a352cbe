/** The files of a fixture written as one text: `=== path` starts a file. */
export function filesOf(text: string): Map<string, string> {
  const files = new Map<string, string>();
  let path = '';
  for (const line of text.replace(/^\n/, '').split('\n')) {
    const start = /^=== (\S+)$/.exec(line);
    if (start !== null) {
      path = start[1]!;
      files.set(path, '');
    } else if (path !== '') files.set(path, `${files.get(path)!}${line}\n`);
  }
  return files;
}

/** An expectation written under the code: `//  ^ text` speaks of the column of its caret, in the last line of code above. */
export interface Caret {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export function caretsIn(source: string): Caret[] {
  const found: Caret[] = [];
  let codeLine = -1;
  source.split('\n').forEach((line, index) => {
    const caret = /^\s*(?:\/\/|#)?\s*\^ (.+)$/.exec(line);
    if (caret === null) codeLine = index;
    else found.push({ line: codeLine, column: line.indexOf('^'), text: caret[1]!.trim() });
  });
  return found;
}
