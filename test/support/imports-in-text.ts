import assert from 'node:assert/strict';
import { createLinker } from '../../daemon/link/linker.ts';
import type { MountedDocument } from '../../daemon/model/document.ts';
import type { ImportFact } from '../../daemon/model/facts.ts';
import type { ImportTarget } from '../../daemon/model/links.ts';
import { manifestOf, mountFile } from './linked-tree.ts';
import { filesOf } from './tree-in-text.ts';

/**
 * Links the files of a fixture, which says below its imports where they lead, those since the last such line: `//=> a.ts`,
 * `scope` and its name, a definition's scope and tail, `npm:react`, or `unresolved`; behind `type` what is for types alone.
 * Several that lead to one place in a row are said once.
 */
export async function expectImports(text: string): Promise<void> {
  const files = filesOf(text);
  const documents: MountedDocument[] = [];
  const others: string[] = [];
  for (const [path, source] of files) {
    const document = await mountFile(path, source);
    if (document === undefined) others.push(path);
    else documents.push(document);
  }
  const linker = createLinker(manifestOf(documents, others));
  for (const { path, facts } of documents) {
    const { imports } = linker.link(path);
    assert.equal(imports.length, facts.imports.length);
    const expected = expectationsIn(files.get(path)!);
    const lines = expected.map(one => one.line);
    const found = lines.map((line, at) => {
      const those = facts.imports.flatMap((one, index) =>
        one.line < line && one.line > (lines[at - 1] ?? -1) ? [describe(one, imports[index]!)] : [],
      );
      return { line, text: those.filter((one, index) => one !== those[index - 1]).join(', ') };
    });
    assert.deepEqual(found, expected, path);
  }
}

function expectationsIn(source: string): { readonly line: number; readonly text: string }[] {
  return source.split('\n').flatMap((written, line) => {
    const text = /^\s*(?:\/\/|#|;)=>\s?(.*)$/.exec(written)?.[1];
    return text === undefined ? [] : { line, text };
  });
}

function describe({ typeOnly }: ImportFact, target: ImportTarget): string {
  return `${typeOnly ? 'type ' : ''}${placeOf(target)}`;
}

function placeOf(target: ImportTarget): string {
  switch (target.kind) {
    case 'file':
      return target.path;
    case 'scope':
      return `scope ${target.scope}`;
    case 'definition':
      return `${target.scope} ${target.tail}`;
    case 'external':
      return `${target.manager}:${target.package}`;
    case 'unresolved':
      return target.kind;
  }
}
