/** What a file of MSBuild says of what C# compiles, in its order: paths with `/`, those of a list each by itself. */
export type BuildStatement =
  | { readonly use: string; readonly static?: true; readonly alias?: string }
  | { readonly unuse: string }
  /** Sources from elsewhere, or none of those: relative to the project, or to the file that says it. */
  | { readonly compile: string; readonly ofFile?: true }
  | { readonly leave: string; readonly ofFile?: true }
  | { readonly import: string }
  /** The nearest file of that name in the folders above this one's. */
  | { readonly above: string }
  | { readonly implicit: boolean }
  | { readonly property: string; readonly value: string };

interface Element {
  readonly name: string;
  readonly isConditional: boolean;
  /** Of an item that may be told more of inside. */
  readonly stated: readonly { static?: true; alias?: string }[];
}

/** Conditions are not judged: what one adds is taken for there, what one removes stays. */
export function readMsbuild(source: string): { readonly sdk: string; readonly says: readonly BuildStatement[] } {
  const says: BuildStatement[] = [];
  const open: Element[] = [];
  let sdk = '';
  for (const { index, 0: whole, 1: closing, 2: name, 3: written = '', 4: empty } of source.matchAll(tags)) {
    if (name === undefined) continue;
    if (closing === '/') {
      const at = open.findLastIndex(one => one.name === name);
      if (at >= 0) open.length = at;
      continue;
    }
    const attributes = attributesOf(written);
    const outer = open.at(-1);
    const isConditional =
      attributes.has('Condition') || name === 'When' || name === 'Otherwise' || outer?.isConditional === true;
    const text = empty === '/' ? '' : textFrom(source, index + whole.length);
    if (name === 'Project' && open.length === 0) sdk = attributes.get('Sdk') ?? '';
    const isBuilt = open.length >= maxDepth || open.some(one => one.name === 'Target');
    const stated = isBuilt ? [] : statementsOf({ name, outer, attributes, isConditional, text });
    says.push(...stated);
    if (empty !== '/' && open.length < maxDepth)
      open.push({ name, isConditional, stated: stated as Element['stated'] });
  }
  return { sdk, says };
}

/** Deeper than this nothing is said of sources; of paths longer than this nothing is known. */
const maxDepth = 40;
const longestPath = 500;

const tags =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<(\/?)([\w.:-]+)(?![\w.:-])((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>/g;

interface Opened {
  readonly name: string;
  readonly outer: Element | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  readonly isConditional: boolean;
  readonly text: string;
}

function statementsOf({ name, outer, attributes, isConditional, text }: Opened): readonly BuildStatement[] {
  const list = (attribute: string): readonly string[] => listOf(attributes.get(attribute) ?? '');
  if (name === 'Import') return attributes.has('Sdk') ? [] : list('Project').flatMap(importOf);
  if (outer?.name === 'PropertyGroup') return propertyOf(name, text);
  if (outer?.name === 'Using') {
    for (const one of outer.stated) Object.assign(one, metadataOf(name, text));
    return [];
  }
  if (outer?.name !== 'ItemGroup') return [];
  const removed = isConditional ? [] : list('Remove');
  if (name === 'Using') {
    const more = {
      ...metadataOf('Static', attributes.get('Static') ?? ''),
      ...metadataOf('Alias', attributes.get('Alias') ?? ''),
    };
    return [...list('Include').map(use => ({ use, ...more })), ...removed.map(unuse => ({ unuse }))];
  }
  if (name !== 'Compile') return [];
  return [
    ...list('Include').map(one => sourcesOf('compile', one)),
    ...list('Exclude').map(one => sourcesOf('leave', one)),
    ...removed.map(one => sourcesOf('leave', one)),
  ];
}

function metadataOf(name: string, text: string): { static?: true; alias?: string } {
  if (name === 'Static') return text.toLowerCase() === 'true' ? { static: true } : {};
  return name === 'Alias' && text !== '' ? { alias: text } : {};
}

function propertyOf(name: string, text: string): readonly BuildStatement[] {
  if (name === 'ImplicitUsings') return [{ implicit: /^(?:enable|true)$/i.test(text) }];
  return name === 'RootNamespace' || name === 'AssemblyName' ? [{ property: name, value: text }] : [];
}

const fileFolder = /^\$\(MSBuildThisFileDirectory\)\/?/;
const projectFolder = /^\$\((?:MSBuildProjectDirectory|ProjectDir)\)\/?/;

function sourcesOf(key: 'compile' | 'leave', path: string): BuildStatement {
  const isOfFile = fileFolder.test(path);
  const from = path.replace(fileFolder, '').replace(projectFolder, '');
  return { [key]: from, ...(isOfFile ? { ofFile: true } : {}) } as BuildStatement;
}

/** `$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', …))` and its like lead upwards. */
function importOf(path: string): readonly BuildStatement[] {
  const above = /Get(?:PathOf|DirectoryNameOf)FileAbove\(.*?([\w.-]+\.(?:props|targets))\b/.exec(path)?.[1];
  if (above !== undefined) return [{ above }];
  const plain = path.replace(fileFolder, '');
  return plain === '' || plain.includes('$(') ? [] : [{ import: plain }];
}

function listOf(text: string): readonly string[] {
  return text
    .split(';')
    .map(one => one.trim().replaceAll('\\', '/'))
    .filter(one => one !== '' && one.length <= longestPath);
}

function attributesOf(written: string): ReadonlyMap<string, string> {
  const found = [...written.matchAll(/(?<![\w.:-])([\w.:-]+)(?![\w.:-])\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
  return new Map(found.map(([, name, double, single]) => [name!, unescaped(double ?? single ?? '').trim()]));
}

function textFrom(source: string, start: number): string {
  const end = source.indexOf('<', start);
  return unescaped(source.slice(start, end < 0 ? source.length : end)).trim();
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name]!);
}
