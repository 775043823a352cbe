import { parse as parseToml } from 'smol-toml';
import { type Content, maxItems, object, type Reading, said } from './values.ts';

/** build.gradle and settings.gradle in Groovy; those in Kotlin are source, and told of by `sourceProject`. */
export function readGradle(source: string): Reading {
  return { scope: '', ...gradleScript(source) };
}

/** What a build script depends on, and what it says of the project. */
export function gradleScript(source: string): Pick<Reading, 'content' | 'project'> {
  return { content: said({ dependencies: dependenciesIn(withoutComments(source)) }), project: gradleProject(source) };
}

/** A list of versions, `libs.versions.toml`: what scripts depend on by the names that it gives. */
export function readVersions(source: string): Reading {
  const libraries = Object.values(object(object(parseToml(source))['libraries'])).flatMap(one => {
    if (typeof one === 'string') return [one.split(':').slice(0, 2).join(':')];
    const { module, group, name } = object(one);
    return typeof module === 'string' ? [module] : [`${String(group)}:${String(name)}`];
  });
  const dependencies = [...new Set(libraries)].filter(one => coordinates.test(one)).sort();
  return { scope: '', content: said({ dependencies }) };
}

const coordinates = /^[\w.-]+:[\w.-]+$/;

/** Literals such as `group:name:version`, and `group: 'g', name: 'n'`. */
function dependenciesIn(code: string): readonly string[] {
  const whole = [...code.matchAll(/["']([A-Za-z][\w.-]{0,200}:[\w.-]{1,200})(?::[^"'\n]{0,200})?["']/g)].map(
    ([, one]) => one!,
  );
  const parts = [
    ...code.matchAll(/\bgroup\s*[:=]\s*["']([\w.-]{1,200})["']\s*,\s*name\s*[:=]\s*["']([\w.-]{1,200})["']/g),
  ];
  return [...new Set([...whole, ...parts.map(([, group, name]) => `${group}:${name}`)])].sort().slice(0, maxItems);
}

/**
 * What a build script of Gradle says in literals, in either language: `include` (paths of projects as `:a:b`), `builds`
 * (folders of included builds), `folders` (project → its folder), `name`, `mainClasses`, and `plugins` by their ids.
 */
export function gradleProject(source: string): Content {
  const code = withoutComments(source);
  const folders = [...code.matchAll(/\bproject\s*\(\s*["'](:[\w.:-]+)["']\s*\)\s*\.\s*projectDir\s*=([^\n]{1,300})/g)];
  return said({
    include: literalsAfter(code, /^[ \t]*include\b\s*\(?/gm),
    builds: literalsAfter(code, /^[ \t]*includeBuild\b\s*\(?/gm),
    folders: Object.fromEntries(folders.flatMap(([, project, written]) => folderOf(project!, written!))),
    name: /^[ \t]*rootProject\.name\s*=\s*["']([^"'$\n]{1,200})["']/m.exec(code)?.[1],
    mainClasses: [...new Set([...code.matchAll(mainClass)].map(([, name]) => name!))].sort(),
    plugins: pluginsOf(code),
  });
}

const mainClass = /\bmainClass(?:Name)?\b\s*(?:=|\.set\s*\(|\.convention\s*\()\s*["']([\w.$]{1,300})["']/g;

/** The last literal of `file("x")`, `new File(rootDir, 'x')` and their like is the folder. */
function folderOf(project: string, written: string): readonly (readonly [string, string])[] {
  const literals = [...written.matchAll(/["']([^"'$]{1,200})["']/g)];
  const folder = literals.at(-1)?.[1];
  return folder === undefined ? [] : [[project, folder]];
}

function literalsAfter(code: string, start: RegExp): readonly string[] {
  const found = new Set<string>();
  for (const { index, 0: whole } of code.matchAll(start)) {
    const literal = /\s*,?\s*["']([^"'$\n]{1,200})["']/y;
    literal.lastIndex = index + whole.length;
    for (let next = literal.exec(code); next !== null && found.size < maxItems; next = literal.exec(code))
      found.add(next[1]!);
  }
  return [...found];
}

function pluginsOf(code: string): readonly string[] {
  const byId = [...code.matchAll(/\bid\s*\(?\s*["']([\w.-]{1,200})["']/g)].map(([, id]) => id!);
  const applied = [...code.matchAll(/\bapply\s*\(?\s*plugin\s*[:=]\s*["']([\w.-]{1,200})["']/g)].map(([, id]) => id!);
  const named = [...code.matchAll(/^[ \t]*`?(application|java-library|java|war)`?[ \t]*$/gm)].map(([, id]) => id!);
  return [...new Set([...byId, ...applied, ...named])].sort();
}

/** Comments blanked, texts left as they are. */
function withoutComments(source: string): string {
  return source.replace(
    /"[^"\\\n]*(?:\\.[^"\\\n]*)*(?:"|\\?$)|'[^'\\\n]*(?:\\.[^'\\\n]*)*(?:'|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/gm,
    one => (one.startsWith('/') ? ' ' : one),
  );
}
