import type { Reading } from './values.ts';

export function readGoModule(source: string): Reading {
  const module = /^module\s+"?([^\s"]+)"?/m.exec(source)?.[1] ?? '';
  const replace = goDirectives(source, 'replace').flatMap(line => {
    const [, from, to] = /^(\S+)(?:\s+\S+)?\s+=>\s+(\.\S*)/.exec(line) ?? [];
    return from === undefined ? [] : [[from, to]];
  });
  const content = { module, replace: Object.fromEntries(replace), require: goDirectives(source, 'require') };
  return { scope: module === '' ? '' : `go:module:${module}`, content };
}

export function readGoWorkspace(source: string): Reading {
  return { scope: '', content: { use: goDirectives(source, 'use') } };
}

/** Lines of a directive of go.mod or go.work, in either form: `use ./a` or `use ( … )`. */
function goDirectives(source: string, directive: string): string[] {
  const found: string[] = [];
  let isInside = false;
  for (const raw of source.split('\n')) {
    const line = raw.replace(/\/\/.*$/, '').trim();
    if (isInside && line === ')') isInside = false;
    else if (isInside && line !== '') found.push(line);
    else if (line.startsWith(`${directive} (`) || line === `${directive}(`) isInside = true;
    else if (line.startsWith(`${directive} `)) found.push(line.slice(directive.length).trim());
  }
  return found;
}
