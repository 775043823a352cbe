import { type GraphDocument, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import type { Finder } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { isHarmless } from './harmless-marks.ts';

/**
 * What is written at a definition that has it found otherwise than by its name; undefined where nothing is. Of a class in
 * languages of which frameworks find classes by their methods, also what stands at one of these.
 */
export function finderOf(site: GraphSite, view: DocumentView): Finder | undefined {
  const { in: graph, at } = site;
  if (graph.document !== view.document) return undefined;
  const own = finderAt(graph, at, view);
  if (own !== undefined || !foundByMethods.has(graph.language)) return own;
  for (let index = 0; index < graph.symbols.length; index++) {
    if (graph.containers[index] !== at || kindOfDefinition(graph, index) !== 'method') continue;
    const found = finderAt(graph, index, view);
    if (found?.kind === 'mark' && !ofValues.test(found.text)) return found;
  }
  return undefined;
}

const foundByMethods: ReadonlySet<string> = new Set(['csharp', 'java', 'kotlin']);

/** What is said of what methods take and give. */
const ofValues =
  /(?:Null|NotNull|NonNull|Nullable|ReturnValue|Contract|GuardedBy|Check\w*|Incompatible|Test(?:ing|Only))\]?$/;

function finderAt(graph: GraphDocument, at: number, view: DocumentView): Finder | undefined {
  const { slots, language } = graph;
  const slot = slots[at]!;
  if (language === 'cpp' || language === 'c') {
    const facts = view.facts();
    const isSpecial = facts.definitionTail(slot).includes(`${facts.definitionName(slot)}<`);
    if (isSpecial) return { kind: 'specialisation' };
  }
  const find = Object.hasOwn(markFinders, language) ? markFinders[language] : undefined;
  if (find === undefined) return undefined;
  const head = headOf(language, slot, view);
  const mark = find(head).find(text => !isHarmless(language, text));
  if (mark !== undefined) return { kind: 'mark', text: mark };
  return isSign(graph, at, head, view) ? { kind: 'sign' } : undefined;
}

/** An operator of Kotlin, or an extension of Dart that has one: its name is none that could be written. */
function isSign({ language, containers, slots }: GraphDocument, at: number, head: string, view: DocumentView): boolean {
  switch (language) {
    case 'kotlin':
      return /\boperator\s+(?:\w+\s+)*fun\b/.test(head);
    case 'dart':
      return (
        /^extension\b/.test(head.trimStart()) &&
        containers.some((container, one) => container === at && /^\W/.test(view.facts().definitionName(slots[one]!)))
      );
    default:
      return false;
  }
}

/** What stands at a definition up to its name, and in C behind that as well; bracketed parts and texts left out. */
function headOf(language: string, slot: number, view: DocumentView): string {
  const { startLine, startColumn } = view.facts().definitionRange(slot);
  const name = view.facts().definitionNameRange(slot);
  const lines: string[] = [];
  for (let line = startLine; line <= name.startLine; line++) lines.push(view.line(line));
  if (name.startLine >= startLine) lines[lines.length - 1] = lines.at(-1)!.slice(0, name.startColumn);
  const above = Object.hasOwn(marksAbove, language) ? marksAbove[language] : undefined;
  if (above === undefined) {
    // What stands before on its line is another definition.
    lines[0] = (lines[0] ?? '').slice(startColumn);
    return bare(lines.join('\n'));
  }
  if (language === 'go') return linesAbove(view, startLine, above).join('\n');
  lines[0] = (lines[0] ?? '').replace(/^.*[;{}](?=.)/, part => (part.length <= startColumn ? '' : part));
  const head = [...linesAbove(view, startLine, above), ...lines].join('\n');
  if (language !== 'c' && language !== 'cpp') return bare(head);
  const behind = view.line(name.endLine).slice(name.endColumn) + view.line(name.endLine + 1);
  return `${head} ${behind.replace(/[{;=].*$/s, '')}`.replace(quoted, '').replace(blockComment, '');
}

/** Languages in which marks stand before what counts as the definition, and how one that stands on lines of its own begins. */
const marksAbove: Readonly<Record<string, RegExp>> = {
  ...{ typescript: /^@/, javascript: /^@/, dart: /^@/, rust: /^#\[/, go: /^\/\// },
  ...{
    c: /^(?:__attribute__|__declspec|\[\[|[A-Z][A-Z\d_]*$)/,
    cpp: /^(?:__attribute__|__declspec|\[\[|[A-Z][A-Z\d_]*$)/,
  },
};

const mostLinesAbove = 40;

/** Lines above one that begin as marks do, those that such a one goes over, and comments among them. */
function linesAbove(view: DocumentView, start: number, begins: RegExp): readonly string[] {
  let found: readonly string[] = [];
  let block: readonly string[] = [];
  let open = 0;
  for (let line = start - 1; line >= Math.max(0, start - mostLinesAbove); line--) {
    const text = view.line(line).trim();
    if (open === 0 && comment.test(text) && !begins.test(text)) continue;
    // What ends there is another definition.
    if (open === 0 && /[;{}]$/.test(text)) break;
    open += openingsIn(text, /[)\]}]/g) - openingsIn(text, /[([{]/g);
    if (text === '' || open < 0) break;
    block = [text, ...block];
    if (open > 0) continue;
    if (!begins.test(text)) break;
    found = [...block, ...found];
    block = [];
  }
  return found;
}

const comment = /^(?:\/\/|\/\*|\*)/;
const blockComment = /\/\/[^\n]*|\/\*.*?\*\//gs;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

function openingsIn(text: string, bracket: RegExp): number {
  return text.replace(quoted, '').match(bracket)?.length ?? 0;
}

/** Without comments, texts, and what stands in parentheses. */
function bare(head: string): string {
  const plain = head.replace(quoted, '').replace(blockComment, '');
  let made = '';
  let depth = 0;
  for (const character of plain) {
    if (character === '(') depth++;
    if (depth === 0) made += character;
    if (character === ')' && depth > 0) depth--;
  }
  return made;
}

type FindMarks = (head: string) => readonly string[];

const byAt: FindMarks = head =>
  [
    ...head.matchAll(
      /(?<![\w)])@(?!interface\b)(?:(?:file|get|set|field|param|property|receiver|delegate|setparam):)?([A-Za-z_][\w.]*)/g,
    ),
  ].map(([, name]) => `@${name}`);

/** `[A, B]`, `#[A, B]`: each by itself. */
function byList(list: RegExp, open: string): FindMarks {
  return head =>
    [...head.matchAll(list)].flatMap(([, names = '']) =>
      names.split(',').flatMap(name => {
        const [, own] = /^\s*(?:return\s*:\s*)?([\w\\.:]+)/.exec(name) ?? [];
        return own === undefined ? [] : [`${open}${own}]`];
      }),
    );
}

/** What C's compilers and linkers are told to keep, to call, to show to others, or to know by another name. */
const ofC: FindMarks = head => [
  ...[...head.matchAll(/__attribute__\s*\(\(\s*([^)]*)/g)].flatMap(([, words = '']) =>
    [...words.matchAll(keptByC)].map(([word]) => `__attribute__((${word}))`),
  ),
  ...(/__declspec\s*\(\s*dllexport\b/.test(head) ? ['__declspec(dllexport)'] : []),
  ...[...head.matchAll(/\[\[\s*(gnu::\w+)/g)].flatMap(([, word = '']) =>
    /^gnu::(?:used|constructor|destructor|retain)$/.test(word) ? [`[[${word}]]`] : [],
  ),
  ...[...head.matchAll(exportingMacro)].map(([word]) => word),
];

const keptByC =
  /\b(?:constructor|destructor|used|retain|interrupt|signal|alias|ifunc|section|weak|weakref|externally_visible|export_name|naked)\b/g;
const exportingMacro =
  /\b(?:[A-Z][A-Z\d_]*_)?(?:EXPORTS?|EXPORTED|API|APICALL|DLL\w*|USED|KEEP|KEEPALIVE|ISR|IRQ|INTERRUPT|CONSTRUCTOR|DESTRUCTOR|INIT|INITFUNC|INIT_FUNC|MODINIT_FUNC|VISIBLE|PUBLIC|WEAK)\b|\bJNIEXPORT\b|\b(?:asmlinkage|__init|__exit|__used|__interrupt|__visible)\b/g;

/** What has something else find a definition, as written. */
const markFinders: Readonly<Record<string, FindMarks>> = {
  ...{ typescript: byAt, javascript: byAt, python: byAt, java: byAt, kotlin: byAt, dart: byAt },
  csharp: byList(/\[([^[\]]*)\]/g, '['),
  php: byList(/#\[([^[\]]*)\]/g, '#['),
  rust: byList(/#\[([^[\]]*)\]/g, '#['),
  /** What C calls, or the linker knows by another name. */
  go: head => head.match(/^\/\/(?:export|go:linkname|go:wasmexport)\b/gm) ?? [],
  ...{ c: ofC, cpp: ofC },
};
