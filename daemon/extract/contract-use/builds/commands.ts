import { tools } from '../method-paths.ts';
import { lastOf } from '../service-names.ts';
import type { Found, Source } from '../text/source.ts';
import { sideOfCommand } from './openapi-sides.ts';

/** A line of a script with those that it goes on in, and where it begins. */
interface Command {
  readonly at: number;
  readonly text: string;
}

/**
 * Commands in scripts, Makefiles, Dockerfiles, workflows and packages' scripts that generate code from contracts: `protoc` with
 * its `.proto` files, or the folder that it is pointed at, generators for OpenAPI with their document, and buf with modules of
 * its registry.
 */
export function* generatorCommands(source: Source): Iterable<Found> {
  const { text } = source;
  if (!mentions.test(text)) return;
  const variables = variablesIn(text);
  for (const { at, text: line } of commandsIn(text)) {
    if (!mentions.test(line)) continue;
    if (protoc.test(line)) yield* protosOf(at, line, variables);
    yield* documentsOf(at, line, variables);
    if (buf.test(line)) yield* modulesOf(at, line, variables);
  }
}

const mentions =
  /\bbuf\b|protoc\b|grpc_tools|grpc-tools|tools_(?:ruby|node)_protoc|pbjs|proto-loader-gen-types|openapi|swagger|orval|oapi-codegen|nswag|kiota|datamodel-codegen|\bogen\b/i;

const protoc =
  /(?:^|[\s"'`/;&|(])(?:protoc(?:\.exe)?|grpc_tools\.protoc|grpc_tools_(?:ruby|node)_protoc(?:\.\w{2,3})?|pbjs|proto-loader-gen-types|protoc-gen-[\w-]{1,40})(?=[\s"'`,)$]|$)/;

/** Of buf's commands those that read a module. */
const buf = /(?<![\w./@-])buf(?:\.exe)?["',\s]{1,10}(?:generate|export|build|convert|breaking)(?![\w-])/;

/** `buf generate buf.build/acme/solo:v1`. */
function* modulesOf(at: number, line: string, variables: ReadonlyMap<string, readonly string[]>): Iterable<Found> {
  const modules = wordsOf(line, variables).flatMap(word => {
    const [, module] = /^(?:--\w{1,40}=)?(buf\.build\/[\w-]{1,60}\/[\w.-]{1,100})(?::\S{0,200})?$/.exec(word) ?? [];
    return module ?? [];
  });
  for (const module of new Set(modules)) yield { kind: 'dependency', at, module };
}

/** `grpcurl users:9090 acme.user.v2.UserService/GetUser`: calls of tools, but for those that ask how a server is. */
export function* callingCommands(source: Source): Iterable<Found> {
  const { text } = source;
  if (!tools.test(text)) return;
  const variables = variablesIn(text);
  for (const { at, text: line } of commandsIn(text)) {
    if (!tools.test(line)) continue;
    for (const word of wordsOf(line, variables)) {
      const [, fullName] =
        /^(?!grpc\.)((?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,150})\/[A-Za-z]\w{0,150}[)|]{0,5}$/.exec(word) ?? [];
      if (fullName === undefined) continue;
      const within = text.slice(at, at + line.length).indexOf(word);
      yield { kind: 'client', at: at + Math.max(0, within), service: lastOf(fullName), fullName };
    }
  }
}

function* commandsIn(text: string): Iterable<Command> {
  let from = 0;
  while (from < text.length) {
    let end = lineEnd(text, from);
    // Lines that end so go on in the next.
    for (
      let more = 0;
      more < mostLines && end < text.length && /[\\`^]\r?$/.test(text.slice(Math.max(from, end - 2), end));
      more++
    )
      end = lineEnd(text, end + 1);
    const line = text.slice(from, Math.min(end, from + longestLine));
    if (!/^\s{0,200}(?:#(?!!)|\/\/(?!go:generate)|REM\b|::|--|\*)/.test(line))
      yield { at: from + (line.length - line.trimStart().length), text: line };
    from = end + 1;
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

const mostLines = 60;
const longestLine = 8_000;

/** Variables that hold names of `.proto` files, documents or folders, of Make and shells: the words of each. */
function variablesIn(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const match of text.matchAll(
    /^[ \t]{0,20}(?:export\s{1,5}|ARG\s{1,5}|ENV\s{1,5}|\$)?(\w{1,80})\s{0,10}[:?+]?=\s{0,10}["']?([^\n"'#]{1,500})/gm,
  )) {
    const words = match[2]!
      .trim()
      .split(/\s+/)
      .filter(word => /[\w/]/.test(word));
    if (found.size < 300 && words.length > 0 && words.length < 60) found.set(match[1]!, words);
  }
  return found;
}

/** The words of a line, with variables of the file filled in, one deep. */
function wordsOf(line: string, variables: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found: string[] = [];
  for (const word of line.split(/[\s"'`,;[\]\\]+/)) {
    if (word === '' || found.length > 400) continue;
    const [whole, name] =
      /\$(?:\{(\w{1,80})\}|\((\w{1,80})\)|(\w{1,80}))/.exec(word)?.filter(one => one !== undefined) ?? [];
    const values = name === undefined ? undefined : variables.get(name);
    if (values === undefined) found.push(word);
    else if (whole === word) found.push(...values.slice(0, 50));
    else found.push(values.length === 1 ? word.replace(whole!, () => values[0]!) : word);
  }
  return found;
}

function* protosOf(at: number, line: string, variables: ReadonlyMap<string, readonly string[]>): Iterable<Found> {
  const words = wordsOf(line, variables);
  const files = words.filter(word => /\.proto$/.test(word) && word.length < 300 && !word.startsWith('-'));
  const role = roleOf(line);
  const pointed = foldersIn(words);
  // What is found in a folder is of those that the compiler is pointed at.
  const isTold = files.some(file => !/^(?:\*\*\/)?\*\.proto$/.test(file)) || pointed.length === 0;
  const named = isTold ? files : pointed;
  for (const file of new Set(named.slice(0, 50)))
    yield { kind: 'generator', at, file: withoutVariables(file), ...role };
}

/** Folders whose files are compiled: that are searched for them, else that imports are looked for in, of the repository if there are any. */
function foldersIn(words: readonly string[]): readonly string[] {
  const searched = words.flatMap((word, at) => (/(?:^|\()find$/.test(word) ? [words[at + 1] ?? ''] : []));
  const imported = words.flatMap((word, at) => {
    const [, folder] = /^(?:-I|--proto_path=?)(.{0,300})$/.exec(word) ?? [];
    return folder === undefined ? [] : [folder === '' ? (words[at + 1] ?? '') : folder];
  });
  const all = (searched.length > 0 ? searched : imported).filter(
    one => !/googleapis|include|third_party|node_modules/.test(one),
  );
  const inside = all.filter(one => !one.startsWith('../'));
  return (inside.length > 0 ? inside : all).filter(one => /[\w/]/.test(one));
}

/** Folders at the front that only a run tells are left out, what else it tells may be anything. */
function withoutVariables(file: string): string {
  return file
    .replace(/^(?:\$\{?\w{1,80}\}?|\$\(\w{1,80}\))\//, '')
    .replace(/\$\{\w{1,80}\}|\$\(\w{1,80}\)|\$\w{1,80}/g, '*');
}

/** Plugins that make one side alone. */
function roleOf(line: string): Pick<Found, 'role'> {
  const isWeb = /--grpc-web_out|--connect-query_out|protoc-gen-grpc-web/.test(line);
  return isWeb ? { role: 'client' } : {};
}

/** Generators for OpenAPI, each with the option that names the document. */
const documents: readonly (readonly [tool: RegExp, document: RegExp])[] = [
  [
    /\b(?:openapi-generator(?:-cli)?|swagger-codegen(?:-cli)?)\b[\s\S]{0,400}?\bgenerate\b/,
    /\s(?:-i|--input-spec)[\s=]{1,5}(\S{1,300})/,
  ],
  // What its options name is configuration and what it writes.
  [
    /\boapi-codegen\b/,
    /\s(?<!-(?:config|o|templates|import-mapping)\s{1,5})(?!-)(\S{1,300}\.(?:ya?ml|json))(?=["']?(?:\s|$))/,
  ],
  [/\bopenapi-typescript\b/, /\bopenapi-typescript(?:@[\w.]{1,20})?\s{1,5}(?!-)(\S{1,300})/],
  [/\b(?:openapi-typescript-codegen|openapi-ts|openapi)\b(?!-)/, /\s(?:-i|--input)[\s=]{1,5}(\S{1,300})/],
  [/\bng-openapi-gen\b/, /\s(?:-i|--input)[\s=]{1,5}(\S{1,300})/],
  [/\borval\b/, /\s(?:-i|--input)[\s=]{1,5}(\S{1,300})/],
  [/\bopenapi-python-client\s{1,5}(?:generate|update)\b/, /\s--(?:path|url)[\s=]{1,5}(\S{1,300})/],
  [/\bdatamodel-codegen\b/, /\s--(?:input|url)[\s=]{1,5}(\S{1,300})/],
  [/\bnswag\b/i, /\/input:(\S{1,300})/],
  [/\bkiota\s{1,5}generate\b/, /\s(?:-d|--openapi)[\s=]{1,5}(\S{1,300})/],
  [/\bswagger-typescript-api\b/, /\s(?:-p|--path)[\s=]{1,5}(\S{1,300})/],
  [/\bswagger\s{1,5}generate\s{1,5}(?:client|server|model)\b/, /\s(?:-f|--spec)[\s=]{1,5}(\S{1,300})/],
  [/\bogen\s{1,5}(?=-|\S{1,200}\.(?:ya?ml|json))/, /\s(?!-)(\S{1,300}\.(?:ya?ml|json))(?=\s|$)/],
];

function* documentsOf(at: number, line: string, variables: ReadonlyMap<string, readonly string[]>): Iterable<Found> {
  for (const [tool, option] of documents) {
    if (!tool.test(line)) continue;
    const [, written] = option.exec(line.replace(/\\\r?\n/g, ' ')) ?? [];
    if (written === undefined) continue;
    const [file] = wordsOf(written, variables);
    if (file !== undefined && /[\w/]/.test(file)) {
      yield { kind: 'generator', at, file: withoutVariables(file.replace(/^\/local\//, '')), ...sideOfCommand(line) };
      return;
    }
  }
}
