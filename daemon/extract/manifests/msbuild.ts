import { maxXmlDepth, type XmlElement, xmlElements } from './xml.ts';

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
  /** A project that it refers to: relative to the project, or to the file that says it. */
  | { readonly refer: string; readonly ofFile?: true }
  /** A package that it refers to, or an assembly that somebody else built. */
  | { readonly package: string }
  | { readonly property: string; readonly value: string };

interface Element {
  readonly isConditional: boolean;
  /** Whether it is no statement of the project, but of a target that is built. */
  readonly isBuilt: boolean;
  /** Of an item that may be told more of inside. */
  readonly stated: readonly { static?: true; alias?: string }[];
}

/** Conditions are not judged: what one adds is taken for there, what one removes stays. */
export function readMsbuild(source: string): { readonly sdk: string; readonly says: readonly BuildStatement[] } {
  const says: BuildStatement[] = [];
  const known = new WeakMap<XmlElement, Element>();
  let sdk = '';
  for (const element of xmlElements(source)) {
    const { name, attributes, outer, depth, text } = element;
    const around = outer && known.get(outer);
    const isConditional =
      attributes.has('Condition') || name === 'When' || name === 'Otherwise' || around?.isConditional === true;
    if (name === 'Project' && outer === undefined) sdk = attributes.get('Sdk') ?? '';
    const isInTarget = outer?.name === 'Target' || around?.isBuilt === true;
    const isBuilt = depth >= maxXmlDepth || isInTarget;
    const opened = { name, outer: outer?.name, stated: around?.stated ?? [], attributes, isConditional, text };
    const stated = isBuilt ? [] : statementsOf(opened);
    says.push(...stated);
    known.set(element, { isConditional, isBuilt: isInTarget, stated: stated as Element['stated'] });
  }
  return { sdk, says };
}

/** Of longer paths nothing is known. */
const longestPath = 500;

interface Opened {
  readonly name: string;
  /** Of what it stands in. */
  readonly outer: string | undefined;
  readonly stated: Element['stated'];
  readonly attributes: ReadonlyMap<string, string>;
  readonly isConditional: boolean;
  readonly text: string;
}

function statementsOf({ name, outer, stated, attributes, isConditional, text }: Opened): readonly BuildStatement[] {
  const list = (attribute: string): readonly string[] => listOf(attributes.get(attribute) ?? '');
  if (name === 'Import') return attributes.has('Sdk') ? [] : list('Project').flatMap(importOf);
  if (outer === 'PropertyGroup') return propertyOf(name, text);
  if (outer === 'Using') {
    for (const one of stated) Object.assign(one, metadataOf(name, text));
    return [];
  }
  if (outer !== 'ItemGroup') return [];
  const removed = isConditional ? [] : list('Remove');
  if (name === 'Using') {
    const more = {
      ...metadataOf('Static', attributes.get('Static') ?? ''),
      ...metadataOf('Alias', attributes.get('Alias') ?? ''),
    };
    return [...list('Include').map(use => ({ use, ...more })), ...removed.map(unuse => ({ unuse }))];
  }
  if (name === 'ProjectReference') return list('Include').map(one => sourcesOf('refer', one));
  if (name === 'PackageReference' || name === 'Reference')
    return list('Include').map(one => ({ package: one.replace(/,.*$/s, '') }));
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
  return /^(?:RootNamespace|AssemblyName|PackageId)$/.test(name) ? [{ property: name, value: text }] : [];
}

const fileFolder = /^\$\(MSBuildThisFileDirectory\)\/?/;
const projectFolder = /^\$\((?:MSBuildProjectDirectory|ProjectDir)\)\/?/;

function sourcesOf(key: 'compile' | 'leave' | 'refer', path: string): BuildStatement {
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
