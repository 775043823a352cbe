import { type Content, type Reading, said } from './values.ts';

/** Files of the JVM that name classes to load: `META-INF/services/*`, `spring.factories`, `META-INF/spring/*.imports`. */
export function readServices(source: string): Reading {
  const found = new Set<string>();
  const text = source.slice(0, longest).replace(/\\\r?\n\s*/g, '');
  for (const line of text.split('\n')) {
    const written = line.replace(/[#!].*$/, '').replace(/^[^=]*=/, '');
    for (const one of written.split(',')) if (isClass(one.trim()) && found.size < mostClasses) found.add(one.trim());
  }
  return { scope: '', content: {}, project: said({ loadedClasses: [...found].sort() }) };
}

/**
 * Whatever else of the JVM names classes, with their packages, for something to load (resources, descriptors, pages of a
 * server, layouts of Android, rules of ProGuard): `loadedClasses` has them as far as the outermost one.
 */
export function readClassNames(source: string): Reading {
  const found = new Set<string>();
  for (const [, name] of source.slice(0, longest).matchAll(qualified)) if (found.size < mostClasses) found.add(name!);
  return { scope: '', content: {}, project: said({ loadedClasses: [...found].sort() }) };
}

const qualified = /(?<![\w.$])((?:[a-z_]\w{0,100}\.){1,20}[A-Z]\w{0,200})/g;

/** Classes that code of the JVM has in a text, each all of it: for `Class.forName`, or a setting. */
export function classesInTexts(source: string): Content | undefined {
  const texts = source.matchAll(/"((?:[a-z_]\w{0,100}\.){1,20}[A-Z]\w{0,200}(?:\$\w{1,200})?)"/g);
  const found = new Set([...texts].slice(0, mostClasses).map(([, name]) => name!));
  return found.size === 0 ? undefined : { loadedClasses: [...found].sort() };
}

/** `AndroidManifest.xml`: `loadedClasses` has the parts of a program that the system starts, without the program's package. */
export function readAndroid(source: string): Reading {
  const found = new Set<string>();
  const parts = source
    .slice(0, longest)
    .matchAll(/<(?:activity|service|receiver|provider|application)\b([^<>]{0,4000})/g);
  for (const [, attributes] of parts) {
    const [, name = ''] = /\bandroid:name\s{0,20}=\s{0,20}["']\.?([\w.$]{1,300})["']/.exec(attributes!) ?? [];
    if (isClass(name) && found.size < mostClasses) found.add(name);
  }
  return { scope: '', content: {}, project: said({ loadedClasses: [...found].sort() }) };
}

/** Services of Symfony: `loadedClasses` has those that are named, `loadedFolders` those of which each class is one, as written. */
export function readSymfony(source: string): Reading {
  const classes = new Set<string>();
  const folders = new Set<string>();
  for (const line of source.slice(0, longest).split('\n')) {
    const [, resource] = /^\s*resource:\s*["']?([^"'#\s]{1,500})/.exec(line) ?? [];
    if (resource !== undefined) folders.add(resource);
    if (/^\s*#/.test(line) || resource !== undefined || classes.size >= mostClasses) continue;
    for (const [name] of line.matchAll(/(?<![\w\\])\\?[A-Z]\w*(?:\\{1,2}\w+)+(?![\w\\])/g))
      classes.add(name.replaceAll('\\\\', '\\').replace(/^\\/, ''));
  }
  return {
    scope: '',
    content: {},
    project: said({ loadedClasses: [...classes].sort(), loadedFolders: [...folders].sort() }),
  };
}

const longest = 1_000_000;
const mostClasses = 2_000;

function isClass(name: string): boolean {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\$\w+)*$/.test(name);
}
