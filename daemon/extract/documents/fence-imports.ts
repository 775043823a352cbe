/** What a name of a piece of code stands for that it imports. */
export interface Imported {
  /** The parts of what it is, outermost first; empty of all that the place has. */
  readonly names: readonly string[];
  /** Where from, of languages that say so apart. */
  readonly from?: string;
}

/** A name where it is imported, to be looked up as such. */
export interface ImportedAt extends Imported {
  /** From the start of the code: where its last part begins. */
  readonly at: number;
}

export interface FenceImports {
  /** By what the code calls it. */
  readonly locals: ReadonlyMap<string, Imported>;
  readonly named: readonly ImportedAt[];
  /** Where what imports begins and ends. */
  readonly spans: readonly Span[];
}

type Span = readonly [start: number, end: number];

interface Read {
  readonly locals: [string, Imported][];
  readonly named: ImportedAt[];
  readonly spans: Span[];
}

type Reader = (code: string, plain: string) => Read;

function nothingRead(): Read {
  return { locals: [], named: [], spans: [] };
}

function spanOf({ 0: text, index }: RegExpMatchArray): Span {
  return [index!, index! + text.length];
}

/** The imports of a piece of code. `plain`: the same without comments and texts. */
export function fenceImports(code: string, plain: string, language: string): FenceImports {
  const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
  const { locals, named, spans } = read?.(code, plain) ?? nothingRead();
  return { locals: new Map(locals), named, spans };
}

const esImport =
  /\bimport\s{1,99}(?:type\s{1,9})?(?:([\w$]{1,99})\s{0,99},?\s{0,99})?(?:\{([^{}]{0,2000})\}|\*\s{1,9}as\s{1,9}([\w$]{1,99}))?\s{0,99}from\s{0,9}['"]([^'"\n]{1,200})['"]/g;
const required =
  /\b(?:const|let|var)\s{1,9}(?:([\w$]{1,99})|\{([^{}]{0,2000})\})\s{0,9}=\s{0,9}(?:await\s{1,9}import|require)\s?\(\s{0,9}['"]([^'"\n]{1,200})['"]/g;

const ofJavascript: Reader = (code, plain) => {
  const { locals, named, spans } = nothingRead();
  const list = (text: string, at: number, from: string): void => {
    for (const { 0: item, index } of text.matchAll(/[^,]{1,300}/g)) {
      const words = /^(\s{0,200}(?:type\s{1,9})?)([\w$]{1,99})(?:\s{0,99}(?:as|:)\s{0,99}([\w$]{1,99}))?/.exec(item);
      if (words === null || words[2] === 'default') continue;
      const [, before = '', name = '', local = name] = words;
      locals.push([local, { names: [name], from }]);
      named.push({ names: [name], from, at: at + index + before.length });
    }
  };
  for (const found of code.matchAll(esImport)) {
    if (!plain.startsWith('import', found.index)) continue;
    spans.push(spanOf(found));
    const [whole, whole1, items, space, from = ''] = found;
    if (whole1 !== undefined) locals.push([whole1, { names: ['default'], from }]);
    if (space !== undefined) locals.push([space, { names: [], from }]);
    if (items !== undefined) list(items, found.index + whole.indexOf('{') + 1, from);
  }
  for (const found of code.matchAll(required)) {
    if (plain[found.index] === ' ') continue;
    spans.push(spanOf(found));
    const [whole, name, items, from = ''] = found;
    if (name !== undefined) locals.push([name, { names: ['default'], from }]);
    if (items !== undefined) list(items, found.index + whole.indexOf('{') + 1, from);
  }
  return { locals, named, spans };
};

const pythonFrom =
  /^[ \t>.]{0,40}from[ \t]{1,9}([\w.]{1,200})[ \t]{1,9}import[ \t]{1,9}(?:\(([^()]{0,2000})\)|([^\n()]{1,500}))/gm;
/** The language of code that nobody says it of and that imports as one does, by a word for it; undefined of commands and all else. */
export function languageByImports(code: string): 'ts' | 'py' | undefined {
  if (/^\s{0,20}[$%] /m.test(code)) return undefined;
  if (code.search(esImport) >= 0) return 'ts';
  return code.search(pythonFrom) >= 0 ? 'py' : undefined;
}

const pythonImport = /^[ \t>.]{0,40}import[ \t]{1,9}([\w.]{1,200})(?:[ \t]{1,9}as[ \t]{1,9}(\w{1,99}))?/gm;

const ofPython: Reader = (_, plain) => {
  const { locals, named, spans } = nothingRead();
  for (const found of plain.matchAll(pythonFrom)) {
    const [whole, module = '', inside, behind = ''] = found;
    spans.push(spanOf(found));
    const items = inside ?? behind;
    const at = found.index + whole.indexOf(items, whole.indexOf('import') + 6);
    for (const { 0: item, index } of items.matchAll(/[^,]{1,300}/g)) {
      const words = /^(\s{0,200})(\w{1,99})(?:\s{1,99}as\s{1,99}(\w{1,99}))?/.exec(item);
      if (words === null) continue;
      const names = [...module.split('.').filter(one => one !== ''), words[2]!];
      locals.push([words[3] ?? words[2]!, { names }]);
      named.push({ names, at: at + index + words[1]!.length });
    }
  }
  for (const found of plain.matchAll(pythonImport)) {
    const [, module = '', local] = found;
    spans.push(spanOf(found));
    const names = module.split('.');
    if (local !== undefined) locals.push([local, { names }]);
    else locals.push([names[0]!, { names: [names[0]!] }]);
  }
  return { locals, named, spans };
};

const ofGo: Reader = (code, plain) => {
  const { locals, named, spans } = nothingRead();
  const specs =
    /^[ \t]{0,20}(?:import[ \t]{1,9})?(?:([\w.]{1,99})[ \t]{1,9})?"([\w./~-]{1,200})"[ \t]{0,20}(?:\/\/.{0,200})?$/gm;
  if (!/\bimport\b/.test(plain)) return { locals, named, spans };
  for (const [, alias, path = ''] of code.matchAll(specs)) {
    const last = path.split('/').findLast(one => !/^v\d+$/.test(one)) ?? path;
    locals.push([alias ?? last.replace(/^go-|\.go$|[.-]go$/, ''), { names: [], from: path }]);
  }
  return { locals, named, spans };
};

const ofRust: Reader = (_, plain) => {
  const { locals, named, spans } = nothingRead();
  for (const found of plain.matchAll(/\buse\s{1,9}([^;]{1,1000});/g)) {
    const start = found.index + found[0].length - 1 - found[1]!.length;
    spans.push(spanOf(found));
    /** Prefixes of the braces that are open. */
    const open: (readonly string[])[] = [[]];
    let path: string[] = [];
    const tokens = [...found[1]!.matchAll(/[A-Za-z_]\w{0,99}|::|[{},]/g)];
    for (const [at, { 0: token, index }] of tokens.entries()) {
      if (token === '{') open.push([...open.at(-1)!, ...path.splice(0)]);
      else if (token === '}' || token === ',') {
        if (token === '}' && open.length > 1) open.pop();
        path = [];
      } else if (token === 'as') path.push(token);
      else if (token !== '::') {
        const isRenamed = path.at(-1) === 'as';
        if (isRenamed) path.pop();
        else path.push(token);
        const names = [...open.at(-1)!, ...path].filter(one => one !== 'self');
        if (names.length === 0 || tokens[at + 1]?.[0] === '::') continue;
        locals.push([isRenamed ? token : names.at(-1)!, { names }]);
        if (!isRenamed && names.length > 1) named.push({ names, at: start + index });
      }
    }
  }
  return { locals, named, spans };
};

/** Of languages whose imports name the whole of what they mean: Java, Kotlin, C#, PHP, Dart's are left out. */
const ofJvm: Reader = (_, plain) => {
  const { locals, named, spans } = nothingRead();
  const pattern =
    /^[ \t]{0,20}(?:import|use)[ \t]{1,9}(?:static[ \t]{1,9})?([\w.\\]{1,300})[ \t]{0,9}(?:as[ \t]{1,9}(\w{1,99}))?;?[ \t]{0,9}$/gm;
  for (const found of plain.matchAll(pattern)) {
    const path = found[1]!;
    spans.push(spanOf(found));
    const names = path.split(/[.\\]/).filter(one => one !== '');
    const last = names.at(-1);
    if (last === undefined || names.length < 2) continue;
    locals.push([found[2] ?? last, { names }]);
    named.push({ names, at: found.index + found[0].indexOf(path) + path.length - last.length });
  }
  return { locals, named, spans };
};

const readers: Readonly<Record<string, Reader>> = {
  ...{ javascript: ofJavascript, typescript: ofJavascript, python: ofPython, go: ofGo, rust: ofRust },
  ...{ java: ofJvm, kotlin: ofJvm, php: ofJvm },
};
