import { parse as parseToml } from 'smol-toml';
import { type Content, maxItems, object, type Reading, said } from './values.ts';

/** build.gradle and settings.gradle in Groovy; those in Kotlin are source, and told of by `sourceConfiguration`. */
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
 * (folders of included builds), `folders` (project → its folder), `names` (project → what it is called), `name`,
 * `mainClasses`, `plugins` by their ids, and whether it `publishes` something.
 */
function gradleProject(source: string): Content {
  const code = withoutComments(source);
  const settings = [...projectSettings(code)];
  return said({
    include: literalsAfter(code, /^[ \t]*include\b\s*\(?/gm),
    builds: literalsAfter(code, /^[ \t]*includeBuild\b\s*\(?/gm),
    folders: lastLiterals(settings, 'projectDir'),
    names: lastLiterals(settings, 'name'),
    name: /^[ \t]*rootProject\.name\s*=\s*["']([^"'$\n]{1,200})["']/m.exec(code)?.[1],
    mainClasses: [...new Set([...code.matchAll(mainClass)].map(([, name]) => name!))].sort(),
    plugins: pluginsOf(code),
    publishes: publishing.test(code) || undefined,
  });
}

const mainClass = /\bmainClass(?:Name)?\b\s*(?:=|\.set\s*\(|\.convention\s*\()\s*["']([\w.$]{1,300})["']/g;

/** Plugins that publish, what they are set up with, plugins that are there to be published, and scripts of such a name. */
const publishing =
  /publish|uploadArchives|java-gradle-plugin|bintray|jreleaser|android-maven|(?:mvn|maven)[-_]?(?:push|deploy)|["'`]signing["'`]/i;

interface ProjectSetting {
  readonly project: string;
  readonly key: string;
  readonly written: string;
}

/** `project(":x").projectDir = …`, `project(":x").name = …`, and the same inside `apply { … }`. */
function* projectSettings(code: string): Iterable<ProjectSetting> {
  for (const [, project, key, written] of code.matchAll(direct)) {
    yield { project: project!, key: key!, written: written! };
  }
  for (const [, project, block] of code.matchAll(applied)) {
    for (const [, key, written] of block!.matchAll(/\b(projectDir|name)\s*=([^\n;]{1,300})/g)) {
      yield { project: project!, key: key!, written: written! };
    }
  }
}

const direct = /\bproject\s*\(\s*["'](:[\w.:-]{1,200})["']\s*\)\s*\.\s*(projectDir|name)\s*=([^\n]{1,300})/g;
const applied = /\bproject\s*\(\s*["'](:[\w.:-]{1,200})["']\s*\)\s*\.\s*(?:apply|with)\s*\{([^{}]{1,600})\}/g;

/** By project; of `file("x")`, `new File(rootDir, 'x')`, `new File("$rootDir/x")` and their like the last literal is the folder. */
function lastLiterals(settings: readonly ProjectSetting[], wanted: string): Record<string, string> {
  const found = settings.flatMap(({ project, key, written }) => {
    if (key !== wanted) return [];
    const literals = [...written.matchAll(/["'](?:\$\{?(?:rootDir|settingsDir)\}?\/)?([^"'$]{1,200})["']/g)];
    const literal = literals.at(-1)?.[1];
    return literal === undefined ? [] : [[project, literal] as const];
  });
  return Object.fromEntries(found);
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
  const ofCatalogue = [...code.matchAll(/\balias\s*\(\s*libs\.plugins\.([\w.]{1,200})\s*\)/g)].map(([, id]) => id!);
  const named = [...code.matchAll(/^[ \t]*`?(application|java-library|java|war)`?[ \t]*$/gm)].map(([, id]) => id!);
  return [...new Set([...byId, ...applied, ...ofCatalogue, ...named])].sort();
}

/** Comments blanked, texts left as they are. */
function withoutComments(source: string): string {
  return source.replace(
    /"[^"\\\n]*(?:\\.[^"\\\n]*)*(?:"|\\?$)|'[^'\\\n]*(?:\\.[^'\\\n]*)*(?:'|\\?$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/gm,
    one => (one.startsWith('/') ? ' ' : one),
  );
}
