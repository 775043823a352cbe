import type { Fence } from './fence.ts';
import type { Imported } from './fence-imports.ts';
import { isFileName } from './written-name.ts';

/** A name in a piece of code. Offsets are from its start. */
export interface NameInFence {
  readonly rawText: string;
  readonly names: readonly string[];
  readonly written: number;
  readonly start: number;
  readonly end: number;
  readonly separator: string;
  readonly isCall: boolean;
  readonly from?: string;
}

const chain =
  /(?<![\p{L}\p{N}_$.:>\\-])[\p{L}_$][\p{L}\p{N}_$]{0,127}(?:(?:\.|::|->|\\)[\p{L}_$][\p{L}\p{N}_$]{0,127}){1,11}/gu;
/** A name that nothing is taken off, and that is no key. */
const bare = /(?<![\p{L}\p{N}_$.:>\\'"-])[\p{L}_$][\p{L}\p{N}_$]{0,127}(?![\p{L}\p{N}_$]|\.|::|->|\\|\s?:(?!:))/gu;
const declared =
  /\b(?:class|struct|enum|trait|interface|type|function|func|fn|def|const|let|var|val|mut|object|record|module)\s{1,9}(?:\([^()]{0,200}\)\s{1,9})?([\p{L}_$][\p{L}\p{N}_$]{0,127})|([\p{L}_$][\p{L}\p{N}_$]{0,127})\s{0,9}(?::=|=(?![=>]))/gu;

/**
 * Names of a piece of code that may be those of the repository: what it imports, what it takes off an import, and members
 * of what is written as types are. What it declares itself is its own.
 */
export function namesInFence({ plain, language, imports }: Fence): readonly NameInFence[] {
  const { locals, named, spans } = imports;
  const isImporting = (at: number): boolean => spans.some(([start, end]) => start <= at && at < end);
  const own = new Set([...plain.matchAll(declared)].map(([, name, assigned]) => name ?? assigned!));
  const found: NameInFence[] = named.map(({ names, at, from }) => {
    const last = names.at(-1)!;
    const place = { written: 1, start: at, end: at + last.length };
    return { rawText: last, names, ...place, separator: '', isCall: false, ...(from === undefined ? {} : { from }) };
  });
  for (const { 0: text, index } of plain.matchAll(bare)) {
    const imported = locals.get(text);
    // Where it is imported it stands already, and what it is called here alone is nobody's.
    if (imported === undefined || imported.names.at(-1) !== text || isImporting(index)) continue;
    const { names, from } = imported;
    const isCall = /^!?\s?\(/.test(plain.slice(index + text.length, index + text.length + 3));
    const place = { written: 1, start: index, end: index + text.length };
    found.push({ rawText: text, names, ...place, separator: '', isCall, ...(from === undefined ? {} : { from }) });
  }
  for (const { 0: text, index } of plain.matchAll(chain)) {
    const names = text.split(/\.|::|->|\\/);
    const meant = meantBy(names, locals, own, language);
    if (meant === undefined || isFileName(text) || isImporting(index)) continue;
    const last = names.at(-1)!;
    const end = index + text.length;
    const separator = /(\.|::|->|\\)[^.:>\\]{1,128}$/.exec(text)?.[1] ?? '';
    // What is called otherwise here than where it comes from is not written out.
    const isWhole = meant.names.slice(-names.length).join() === names.join();
    const place = isWhole
      ? { written: names.length, start: index, end }
      : { written: 1, start: end - last.length, end };
    found.push({ rawText: text, ...meant, ...place, separator, isCall: /^!?\s?\(/.test(plain.slice(end, end + 3)) });
  }
  return found;
}

const call = /(?<![\p{L}\p{N}_$.:>\\'"@/-])[\p{L}_$][\p{L}\p{N}_$]{0,127}(?=\()/gu;

/** What is called in code whose language nobody says: names of several words that it does not declare. */
export function callsInFence({ code, plain }: Fence): readonly NameInFence[] {
  // A session of a shell, or what one put out.
  if (/^\s{0,20}[$%#] /m.test(code)) return [];
  const own = new Set([...plain.matchAll(declared)].map(([, name, assigned]) => name ?? assigned!));
  return [...plain.matchAll(call)].flatMap(({ 0: text, index }): NameInFence[] => {
    if (own.has(text) || !/[\p{Ll}\d]\p{Lu}|\p{L}_+\p{L}/u.test(text)) return [];
    const place = { written: 1, start: index, end: index + text.length };
    return [{ rawText: text, names: [text], ...place, separator: '', isCall: true }];
  });
}

/** What a chain of names means, its first replaced by what that is imported as. */
function meantBy(
  names: readonly string[],
  locals: ReadonlyMap<string, Imported>,
  own: ReadonlySet<string>,
  language: string,
): Pick<NameInFence, 'names' | 'from'> | undefined {
  const [head = '', ...rest] = names;
  const imported = locals.get(head);
  if (imported !== undefined) {
    // What a whole module is called says nothing of what it is.
    if (imported.names[0] === 'default') return undefined;
    const { from } = imported;
    return { names: [...imported.names, ...rest], ...(from === undefined ? {} : { from }) };
  }
  if (own.has(head) || /^(?:this|self|super|cls|crate)$/.test(head)) return undefined;
  return /^\p{Lu}/u.test(head) || byPackage.has(language) ? { names } : undefined;
}

/** Languages that name what they use by its package, in small letters. */
const byPackage: ReadonlySet<string> = new Set(['go', 'rust', 'python', 'php']);
