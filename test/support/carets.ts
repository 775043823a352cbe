import assert from 'node:assert/strict';
import { createLinker } from '../../daemon/link/linker.ts';
import type { MountedDocument } from '../../daemon/model/document.ts';
import type { ReferenceKind } from '../../daemon/model/facts.ts';
import type { Target } from '../../daemon/model/links.ts';
import { manifestOf, mountFile } from './linked-tree.ts';
import { parseTree } from './repository.ts';

/**
 * Links a tree of files written as in `parseTree` and holds it to the carets under the code: each points at the first
 * character of a name and says what the name denotes.
 *
 *   f(x)
 *   ^ a.py f().          a definition: its scope, then its tail (the scope left out where it is this file's)
 *   ^ std python:len     something outside: manager, package, name
 *   ^ ?                  a candidate: nothing settles it
 *   ^ -                  no reference at all
 *   ^ call Box#          of which kind it is, where that matters; where several stand there, the one of that kind
 */
export async function expectLinks(text: string): Promise<void> {
  const documents: MountedDocument[] = [];
  const others: string[] = [];
  const expectations: { path: string; line: number; column: number; target: string }[] = [];
  for (const [path, content] of parseTree(text)) {
    const { code, carets } = withoutCarets(content);
    for (const caret of carets) expectations.push({ path, ...caret });
    const document = await mountFile(path, code);
    if (document === undefined) others.push(path);
    else documents.push(document);
  }
  const manifest = manifestOf(documents, others);
  const linker = createLinker(manifest);
  assert.ok(expectations.length > 0, 'no carets');
  const lines = expectations.map(({ path, line, column, target }) => {
    const document = manifest.document(path);
    assert.ok(document, path);
    const { references } = document.facts;
    const kind = kinds.find(one => target.startsWith(`${one} `));
    const index = references.findIndex(
      one => one.line === line && one.column === column && (kind === undefined || one.kind === kind),
    );
    const denoted = index < 0 ? '-' : describe(linker.link(path).targets[index]!, document);
    const found = kind === undefined || index < 0 ? denoted : `${kind} ${denoted}`;
    return { at: `${path}:${line + 1}:${column + 1}`, expected: target, found };
  });
  assert.deepEqual(
    lines.map(one => `${one.at} ${one.found}`),
    lines.map(one => `${one.at} ${one.expected}`),
  );
}

const kinds: readonly ReferenceKind[] = ['call', 'read', 'write', 'import', 'type', 'implementation', 'reference'];

function withoutCarets(content: string) {
  const code: string[] = [];
  const carets: { line: number; column: number; target: string }[] = [];
  for (const line of content.split('\n')) {
    const caret = /^(\s*)\^ (.+)$/.exec(line);
    if (caret === null) code.push(line);
    else carets.push({ line: code.length - 1, column: caret[1]!.length, target: caret[2]!.trim() });
  }
  return { code: code.join('\n'), carets };
}

function describe(target: Target, from: MountedDocument): string {
  switch (target.kind) {
    case 'symbol':
      return target.scope === from.scope ? target.tail : `${target.scope} ${target.tail}`;
    case 'external':
      return `${target.manager} ${target.package}:${target.name}`;
    case 'own':
    case 'kept':
      return '-';
    case 'candidate':
      return target.isElsewhere === true ? 'elsewhere' : '?';
  }
}
