import { parse as parseToml } from 'smol-toml';
import { literalsOf } from './python-literals.ts';
import { pytestSettings } from './test-settings.ts';
import { type Content, defined, object, type Reading, said, text, texts, textsByKey } from './values.ts';

/**
 * pyproject.toml. Of the project: `commands` (name → `module:function`), `plugins` (group → the same), the packages and
 * modules that are listed as its own, and the members of its workspace.
 */
export function readPyproject(source: string): Reading {
  const file = object(parseToml(source));
  const own = object(file['project']);
  const tool = object(file['tool']);
  const poetry = object(tool['poetry']);
  const setuptools = object(tool['setuptools']);
  const name = own['name'] ?? poetry['name'];
  const content = defined({
    name,
    packages: poetry['packages'],
    packageDir: setuptools['package-dir'],
    packagesFind: setuptools['packages'],
  });
  const workspace = object(object(tool['uv'])['workspace']);
  const options = object(tool['pytest'])['ini_options'];
  const project = said({
    commands: { ...targetsByName(poetry['scripts']), ...textsByKey(own['scripts']), ...textsByKey(own['gui-scripts']) },
    plugins: { ...pluginsOf(poetry['plugins']), ...pluginsOf(own['entry-points']) },
    folders: listedFolders(tool),
    findsPackages: object(setuptools['packages'])['find'] === undefined ? undefined : true,
    modules: texts(setuptools['py-modules'] ?? []),
    members: texts(workspace['members'] ?? []),
    exclude: texts(workspace['exclude'] ?? []),
    builds: file['build-system'] === undefined ? undefined : true,
    tests: options === undefined ? undefined : pytestSettings(key => texts(object(options)[key] ?? [])),
  });
  return { scope: typeof name === 'string' ? `pypi:${name}` : '', content, project };
}

/** Poetry's scripts may be tables. */
function targetsByName(scripts: unknown): Record<string, string> {
  const entries = Object.entries(object(scripts)).map(([name, value]) => {
    const target = object(value);
    return [name, text(value) ?? text(target['callable']) ?? text(target['reference'])] as const;
  });
  return textsByKey(Object.fromEntries(entries));
}

function pluginsOf(groups: unknown): Record<string, unknown> {
  return said(Object.fromEntries(Object.entries(object(groups)).map(([group, value]) => [group, textsByKey(value)])));
}

/** Folders of packages that build backends are told of by name. */
function listedFolders(tool: Content): readonly string[] {
  const build = object(object(tool['hatch'])['build']);
  const wheel = object(object(build['targets'])['wheel']);
  const poetry = object(tool['poetry'])['packages'];
  const ofPoetry = (Array.isArray(poetry) ? poetry : []).map(object).flatMap(one => {
    const [from, include] = [text(one['from']), text(one['include'])];
    return include === undefined ? [] : [from === undefined ? include : `${from}/${include}`];
  });
  const flit = text(object(object(tool['flit'])['module'])['name']);
  const setuptools = texts(object(tool['setuptools'])['packages'] ?? []).map(asFolder);
  return [...texts(wheel['packages'] ?? build['packages'] ?? []), ...ofPoetry, ...setuptools, ...texts(flit ?? [])];
}

function asFolder(module: string): string {
  return module.replaceAll('.', '/');
}

/** setup.cfg: as pyproject.toml. */
export function readSetupCfg(source: string): Reading {
  const ini = iniSections(source);
  const value = (section: string, key: string): string | undefined => ini.get(section)?.get(key)?.[0];
  const list = (section: string, key: string): readonly string[] => ini.get(section)?.get(key) ?? [];
  const name = value('metadata', 'name');
  const content = defined({
    name,
    packageDir: value('options', 'package_dir'),
    where: value('options.packages.find', 'where'),
  });
  const groups = [...(ini.get('options.entry_points') ?? [])].map(
    ([group, lines]) => [group, entryPoints(lines)] as const,
  );
  const packages = list('options', 'packages');
  const project = said({
    ...splitEntryPoints(Object.fromEntries(groups)),
    folders: packages.filter(one => !one.startsWith('find')).map(asFolder),
    findsPackages: packages.some(one => one.startsWith('find')) ? true : undefined,
    modules: list('options', 'py_modules'),
    scripts: list('options', 'scripts'),
    tests: pytestOf(ini, 'tool:pytest'),
  });
  return { scope: name === undefined ? '' : `pypi:${name}`, content, project };
}

/** pytest.ini, tox.ini: what pytest is told. */
export function readPytest(source: string): Reading {
  return { scope: '', content: {}, project: said({ tests: pytestOf(iniSections(source), 'pytest') }) };
}

function pytestOf(ini: Sections, section: string): Content | undefined {
  const options = ini.get(section);
  return options === undefined ? undefined : pytestSettings(key => options.get(key) ?? []);
}

type Sections = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Section → key → its values, one a line. */
function iniSections(source: string): Sections {
  const sections = new Map<string, Map<string, string[]>>();
  let keys: Map<string, string[]> | undefined;
  let values: string[] | undefined;
  for (const line of source.split('\n')) {
    const header = /^\[([^\]]{1,200})\]/.exec(line)?.[1];
    if (header !== undefined) {
      keys = sections.get(header.trim()) ?? new Map<string, string[]>();
      sections.set(header.trim(), keys);
      values = undefined;
    } else if (/^\s*[#;]/.test(line) || line.trim() === '') continue;
    else if (/^\s/.test(line)) values?.push(line.trim());
    else {
      const sign = line.search(/[=:]/);
      const written = sign < 0 ? '' : line.slice(sign + 1).trim();
      values = written === '' ? [] : [written];
      keys?.set((sign < 0 ? line : line.slice(0, sign)).trim(), values);
    }
  }
  return sections;
}

/** `name = module:function`, one a line. */
function entryPoints(lines: readonly string[]): Record<string, string> {
  const pairs = lines.flatMap(line => {
    const [, name, target] = /^([^=]{1,200}?)\s*=\s*([\w.:]{1,300})/.exec(line) ?? [];
    return name === undefined ? [] : [[name, target!] as const];
  });
  return Object.fromEntries(pairs);
}

function splitEntryPoints(groups: Readonly<Record<string, Record<string, string>>>): Content {
  const { console_scripts: commands = {}, gui_scripts: windows = {}, ...plugins } = groups;
  return { commands: { ...commands, ...windows }, plugins: said(plugins) };
}

/**
 * What a file of Python says of how it is found, run or built: `isNamespace` of a package that
 * other folders of its name add to, `packageDir` of a setup.py; of the project `runs` where it has code for being run by
 * name, the literals that it gives `setup()`, Sphinx's `extensions`, which are modules, and `dotted`, what may be names of
 * modules, and of what stands in them, in texts.
 */
export function pythonSettings(source: string): Omit<Reading, 'scope'> {
  const runs = /^if\s+(?:__name__\s*==\s*["']__main__["']|["']__main__["']\s*==\s*__name__)\s*:/m.test(source);
  const isSetup = /\b(?:setuptools|distutils)\b/.test(source) && setupCall.test(source);
  const given = isSetup ? literalsOf(source, setupCall) : {};
  const isNamespace = /\b(?:extend_path\s*\(\s*__path__|declare_namespace\s*\(\s*__name__)/.test(source);
  return {
    content: said({ isNamespace: isNamespace ? true : undefined, packageDir: textsByKey(given['package_dir']) }),
    project: said({
      runs: runs ? true : undefined,
      ...(isSetup
        ? { setup: setupSettings(given, source) }
        : { extensions: sphinxExtensions(source), dotted: dottedNames(source) }),
    }),
  };
}

const setupCall = /^[ \t]*(?:setuptools\.)?setup\s*\(/m;

function setupSettings(given: Content, source: string): Content {
  const points = object(given['entry_points']);
  const groups = typeof given['entry_points'] === 'string' ? groupsOfText(given['entry_points']) : points;
  const lists = Object.entries(groups).map(([group, lines]) => [group, entryPoints(texts(lines))] as const);
  return said({
    name: text(given['name']),
    ...splitEntryPoints(Object.fromEntries(lists)),
    folders: texts(given['packages'] ?? []).map(asFolder),
    findsPackages: /\bpackages\s*=\s*(?:setuptools\.)?find_(?:namespace_)?packages\b/.test(source) ? true : undefined,
    modules: texts(given['py_modules'] ?? []),
    scripts: texts(given['scripts'] ?? []),
  });
}

/** What has a dot may be anything, but in settings and addresses of Django. */
function dottedNames(source: string): readonly string[] {
  const isOfDjango = /\b(?:INSTALLED_APPS|MIDDLEWARE|ROOT_URLCONF|DJANGO_SETTINGS_MODULE|urlpatterns)\b/.test(source);
  const names = source.matchAll(/(["'])([A-Za-z_]\w{0,100}(?:\.[A-Za-z_]\w{0,100}){1,12})\1/g);
  const meant = [...names].flatMap(([, , name]) => (isOfDjango || /\..*\./.test(name!) ? [name!] : []));
  return [...new Set(meant)].sort().slice(0, 500);
}

/** `extensions = ['a.b']`, and what is added to them. */
function sphinxExtensions(source: string): readonly string[] {
  const lists = source.matchAll(/^(?:extensions\s*(?:\+?=|\.(?:extend|append)\()\s*)[[("']([^\])]{0,8000})/gm);
  const literals = [...lists].flatMap(([whole]) => [
    ...whole!.replace(/#.*$/gm, '').matchAll(/(["'])([\w.]{1,300})\1/g),
  ]);
  return [...new Set(literals.map(([, , module]) => module!))].sort();
}

/** Entry points as a text in the manner of an ini file. */
function groupsOfText(written: string): Record<string, readonly string[]> {
  const sections = [...iniSections(written.replace(/^[ \t]+/gm, ''))];
  return Object.fromEntries(
    sections.map(([group, keys]) => [group, [...keys].map(([name, values]) => `${name} = ${values[0] ?? ''}`)]),
  );
}
