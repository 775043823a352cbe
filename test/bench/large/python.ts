import { bodyOf, resultOf, type Speech } from './body.ts';
import { NamesInFile } from './names.ts';
import {
  byFolder,
  type ClassPlan,
  capital,
  type FilePlan,
  type FunctionPlan,
  type PackagePlan,
  type Random,
  snake,
} from './plan.ts';
import { indented, type MadeFile, sentence } from './text.ts';

/** A package whose folders hand on, in their `__init__.py`, what their modules define. */
export function* pythonPackage(of: PackagePlan, random: Random): Generator<MadeFile> {
  const root = `python/${of.name}`;
  yield { path: `${root}/__init__.py`, text: '' };
  for (const [folder, files] of byFolder(of.files)) {
    const handedOn = files.map(file => {
      const names = [...file.classes, ...file.functions].map(cased);
      return `from .${snake(file.stem)} import ${names.join(', ')}\n`;
    });
    yield { path: `${root}/${folder}/__init__.py`, text: handedOn.join('') };
    for (const file of files) yield { path: `${root}/${folder}/${snake(file.stem)}.py`, text: source(file, random) };
  }
}

const cased = (what: ClassPlan | FunctionPlan): string => ('fields' in what ? capital(what.name) : snake(what.name));

function source(file: FilePlan, random: Random): string {
  const names = new NamesInFile(file, cased);
  const speech: Speech = {
    self: 'self',
    called: what => names.of(what),
    member: what => snake(what.name),
    made: (what, size) => `${names.of(what)}(${size})`,
    local: snake,
    declared: (name, type, value) => `${name}${type === undefined ? '' : `: ${names.of(type)}`} = ${value}`,
    added: value => `total += ${value}`,
    guarded: value => `assert ${value} < 1000, str(total)`,
    foreign: member => ['for each in json.loads(str(limit)):', `    total += each.size + each.${member}(limit)`],
  };
  const parameters = ({ takes }: FunctionPlan): string =>
    takes === undefined ? 'limit: int' : `limit: int, other: ${names.of(takes)}`;
  const given = ({ gives }: FunctionPlan): string => (gives === undefined ? 'int' : names.of(gives));
  const block = (self: string, one: FunctionPlan, of: ClassPlan | undefined): readonly string[] => [
    `def ${snake(one.name)}(${self}${parameters(one)}) -> ${given(one)}:`,
    `    """${sentence(one.name, random)}"""`,
    ...indented(['total = limit', ...bodyOf(speech, one, of, random), `return ${resultOf(speech, one)}`], '    '),
  ];
  const lines = [
    ...file.classes.flatMap(one => [
      '',
      '',
      `class ${one.name}${one.base === undefined ? '' : `(${names.of(one.base)})`}:`,
      `    """${sentence(one.name, random)}"""`,
      ...indented(
        classBody(one, speech, names, method => block('self, ', method, one)),
        '    ',
      ),
    ]),
    ...file.functions.flatMap(one => ['', '', ...block('', one, undefined)]),
  ];
  const imports = [...names.imported()].map(
    ([from, clauses]) => `from ${specifier(file, from)} import ${clauses.join(', ')}`,
  );
  return `${['import json', '', ...imports, ...lines].join('\n')}\n`;
}

function classBody(
  one: ClassPlan,
  speech: Speech,
  names: NamesInFile,
  block: (method: FunctionPlan) => readonly string[],
): readonly string[] {
  return [
    '',
    'def __init__(self, limit: int) -> None:',
    ...(one.base === undefined ? [] : ['    super().__init__(limit)']),
    ...one.fields.map(({ name, type }) =>
      type === undefined
        ? `    self.${snake(name)}: int = limit`
        : `    self.${snake(name)}: ${names.of(type)} = ${speech.made(type, '1')}`,
    ),
    ...one.methods.flatMap(method => ['', ...block(method)]),
  ];
}

/** Relative within a folder, else the folder's package. */
function specifier(file: FilePlan, from: FilePlan): string {
  if (from.of === file.of && from.folder === file.folder) return `.${snake(from.stem)}`;
  return from.of === file.of ? `..${from.folder}` : `${from.of.name}.${from.folder}`;
}
