import { parse as parseToml } from 'smol-toml';

/** Texts of the files in which a project says what packages it needs; '' of one that is not there. */
export interface RequirementFiles {
  readonly pyproject: string;
  /** `requirements.txt`, or else the first of such files. */
  readonly requirements: string;
  readonly pipfile: string;
  /** Conda's `environment.yml`. */
  readonly conda: string;
}

/** The packages that a project needs wherever it runs, by their names as `packageName` writes them, sorted; without extras. */
export function requiredPackages({ pyproject, requirements, pipfile, conda }: RequirementFiles): readonly string[] {
  const found = [
    ...ofPyproject(pyproject),
    ...requirements.split('\n').flatMap(requirement),
    ...ofTables(tableOf(parsed(pipfile), 'packages')),
    ...ofConda(conda),
  ];
  return [...new Set(found.map(packageName))].filter(name => name !== 'python' && name !== 'pip').sort();
}

/** A name by which packages are told apart, whatever signs stand in it. */
export function packageName(written: string): string {
  return written.toLowerCase().replace(/[-_.]+/g, '-');
}

/** The name of a conda environment that a file describes. */
export function condaName(text: string): string | undefined {
  return /^name:[ \t]*["']?([\w.-]{1,80})/m.exec(text)?.[1];
}

function ofPyproject(text: string): readonly string[] {
  const file = parsed(text);
  const listed = tableOf(file, 'project')['dependencies'];
  const poetry = tableOf(tableOf(tableOf(file, 'tool'), 'poetry'), 'dependencies');
  return [...(Array.isArray(listed) ? listed.map(String).flatMap(requirement) : []), ...ofTables(poetry)];
}

/** One of PEP 508 or of pip; none where it is an option, a path or a place, or holds under a condition alone. */
function requirement(line: string): readonly string[] {
  const name = /^\s*([A-Za-z0-9][\w.-]{0,200})\s*(?:\[[^\]]*\]\s*)?(?:[=<>!~@(,].*|#.*)?$/.exec(line)?.[1];
  return name === undefined || line.includes(';') ? [] : [name];
}

/** Tables of Poetry and Pipenv: those that are optional or hold under a condition alone are left out. */
function ofTables(table: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(table).flatMap(([name, value]) => {
    if (typeof value === 'string') return [name];
    const settings = Object.keys(record(value));
    return Array.isArray(value) || settings.some(key => conditional.test(key)) ? [] : [name];
  });
}

const conditional = /^(?:optional|markers?|python|platform|sys_platform|os_name|path|file|editable)$/;

/** The list of dependencies, with what pip is to install among them. */
function ofConda(text: string): readonly string[] {
  const [, list = ''] =
    /^dependencies:[ \t]*\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n|[ \t]+.*\r?\n)*)/m.exec(`${text}\n`) ?? [];
  return list.split('\n').flatMap(line => {
    const [, name, colon] = /^\s*-\s+["']?(?:[\w-]+::)?([A-Za-z0-9][\w.-]{0,200})(:?)/.exec(line) ?? [];
    return name === undefined || colon === ':' ? [] : [name];
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return record(parseToml(text));
  } catch {
    return {};
  }
}

function tableOf(value: unknown, key: string): Readonly<Record<string, unknown>> {
  return record(record(value)[key]);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
