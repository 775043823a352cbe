import { parse as parseToml } from 'smol-toml';
import { baseName } from '../../model/paths.ts';
import { type Content, jsonc, object, text } from './values.ts';
import { xmlElements, xmlPath } from './xml.ts';
import { yamlText } from './yaml-text.ts';

/** A text in a file and where it begins, 0-based. */
export interface WrittenText {
  readonly text: string;
  readonly line: number;
}

/** What a manifest says the package is, in its own field for that; undefined where it says nothing, or is broken. */
export function manifestDescription(path: string, source: string): WrittenText | undefined {
  const read = readers.find(([name]) => name.test(baseName(path)))?.[1];
  let found: string | undefined;
  try {
    found = read?.(source)?.slice(0, longest).replace(/\s+/g, ' ').trim();
  } catch {
    return undefined;
  }
  return found === undefined || found === '' ? undefined : { text: found, line: lineOf(found, source) };
}

/** Past this a description is something else. */
const longest = 4_000;

const readers: readonly (readonly [name: RegExp, read: (source: string) => string | undefined])[] = [
  [/^(?:package|composer|deno)\.jsonc?$/, source => text(object(jsonc(source))['description'])],
  [/^project\.json$/, source => text(object(object(jsonc(source))['metadata'])['description'])],
  [/^Cargo\.toml$/, source => text(tomlTable(source, 'package')['description'])],
  [/^pyproject\.toml$/, ofPyproject],
  [/^setup\.cfg$/, source => /^\[metadata\][^[]{0,5000}?^description[ \t]*=[ \t]*([^\n]{1,1000})/m.exec(source)?.[1]],
  [/^setup\.py$/, source => literal(source, /\bdescription\s*=\s*(?=[("'])/)],
  [/^pom\.xml$/, source => ofXml(source, path => path === 'project/description')],
  [/\.(?:cs|fs|vb)proj$/, source => ofXml(source, path => /\/(?:Package)?Description$/.test(path))],
  [/^pubspec\.yaml$/, source => yamlText(source, ['description'])],
  [/\.gemspec$/, source => literal(source, /\.summary\s*=\s*/) ?? literal(source, /\.description\s*=\s*/)],
  [/^build\.gradle(?:\.kts)?$/, source => literal(source, /^[ \t]*(?:project\.)?description\s*=?\s*(?=["'])/m)],
  [/^CMakeLists\.txt$/, source => /\bproject\s*\([^)]{0,500}?\bDESCRIPTION\s+"([^"]{1,1000})"/i.exec(source)?.[1]],
];

function tomlTable(source: string, ...keys: readonly string[]): Content {
  return keys.reduce<Content>((table, key) => object(table[key]), object(parseToml(source)));
}

function ofPyproject(source: string): string | undefined {
  return text(tomlTable(source, 'project')['description']) ?? text(tomlTable(source, 'tool', 'poetry')['description']);
}

function ofXml(source: string, isMeant: (path: string) => boolean): string | undefined {
  for (const element of xmlElements(source)) {
    if (isMeant(xmlPath(element)) && element.text !== '' && !/^\$[({]/.test(element.text)) return element.text;
  }
  return undefined;
}

/** The text literal right behind what matches, several in a row being one; nothing that has to be computed. */
function literal(source: string, before: RegExp): string | undefined {
  const found = before.exec(source);
  if (found === null) return undefined;
  const rest = source.slice(found.index + found[0].length, found.index + found[0].length + longest);
  const [, heredoc, words] = /^<<[-~]?["']?([A-Z]\w{0,20})["']?[^\n]{0,80}\n([\s\S]*?)\n\s*\1/.exec(rest) ?? [];
  if (heredoc !== undefined) return words;
  const [, percent] = /^%[qQ]?[{(]([^})]{1,2000})[})]/.exec(rest) ?? [];
  if (percent !== undefined) return percent;
  const [row = ''] = /^\(?\s*(?:(?:"(?:[^"\\\n]|\\.){0,1000}"|'(?:[^'\\\n]|\\.){0,1000}')[\s\\]*)+/.exec(rest) ?? [];
  const texts = [...row.matchAll(/"((?:[^"\\\n]|\\.){0,1000})"|'((?:[^'\\\n]|\\.){0,1000})'/g)];
  const joined = texts.map(([, double, single]) => double ?? single ?? '').join('');
  return /#\{|\$\{|\$[a-z]/.test(joined) ? undefined : joined.replace(/\\(["'\\])/g, '$1');
}

/** Where it begins behind the field's name: its first words, or as they are broken over lines the first of them. */
function lineOf(words: string, source: string): number {
  const from = Math.max(0, source.search(/description|summary/i));
  const [first = words] = words.split(' ');
  const starts = [words.slice(0, 24), first].map(start => source.indexOf(start, from));
  const at = starts.find(start => start >= 0) ?? from;
  return source.slice(0, at).split('\n').length - 1;
}
