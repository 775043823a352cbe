import assert from 'node:assert/strict';
import { createLinker } from '../../daemon/link/linker.ts';
import type { MountedDocument } from '../../daemon/model/document.ts';
import type { Target } from '../../daemon/model/links.ts';
import { manifestOf, mountFile } from './linked-tree.ts';

/**
 * Links the files of a fixture, which says under its references what they point at: `scope tail`,
 * `external package name`, `candidate`, `elsewhere` (a candidate that likely is something else), or `nothing`; and, where
 * they care, how sure that is: `scope tail @0.9`.
 */
export async function expectTargets(text: string): Promise<void> {
  const files = filesOf(text);
  const documents: MountedDocument[] = [];
  for (const [path, source] of files) documents.push((await mountFile(path, source))!);
  const linker = createLinker(manifestOf(documents));
  for (const document of documents) {
    const { targets } = linker.link(document.path);
    assert.equal(targets.length, document.facts.references.length);
    const carets = caretsIn(files.get(document.path)!);
    const found = carets.map(caret => {
      const at = document.facts.references.findIndex(one => one.line === caret.line && one.column === caret.column);
      return { ...caret, text: at < 0 ? 'nothing' : describe(targets[at]!, / @[\d.]+$/.test(caret.text)) };
    });
    assert.deepEqual(found, carets, document.path);
  }
}

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
interface Caret {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

function caretsIn(source: string): Caret[] {
  const found: Caret[] = [];
  let codeLine = -1;
  source.split('\n').forEach((line, index) => {
    const caret = /^\s*(?:\/\/|#)?\s*\^ (.+)$/.exec(line);
    if (caret === null) codeLine = index;
    else found.push({ line: codeLine, column: line.indexOf('^'), text: caret[1]!.trim() });
  });
  return found;
}

function describe(target: Target, isRated: boolean): string {
  switch (target.kind) {
    case 'symbol':
      return `${target.scope} ${target.tail}${isRated ? ` @${target.confidence}` : ''}`;
    case 'external':
      return `external ${target.package} ${target.name}`;
    case 'own':
    case 'kept':
      return 'nothing';
    case 'candidate':
      return target.isElsewhere === true ? 'elsewhere' : 'candidate';
  }
}
