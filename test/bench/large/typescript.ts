import { bodyOf, resultOf, type Speech } from './body.ts';
import { NamesInFile } from './names.ts';
import { byFolder, type ClassPlan, type FilePlan, type FunctionPlan, type PackagePlan, type Random } from './plan.ts';
import { indented, type MadeFile, sentence } from './text.ts';

/** A package of the workspace: sources, a barrel for each folder and one for all of them, manifest and configuration. */
export function* typescriptPackage(of: PackagePlan, random: Random): Generator<MadeFile> {
  const root = `packages/${of.name}`;
  const folders = byFolder(of.files);
  const manifest = { name: `@large/${of.name}`, version: '1.0.0', type: 'module', exports: { '.': './src/index.ts' } };
  const dependencies = Object.fromEntries(of.uses.map(one => [`@large/${one.name}`, '1.0.0']));
  yield { path: `${root}/package.json`, text: `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n` };
  yield { path: `${root}/tsconfig.json`, text: '{ "extends": "../../tsconfig.json", "include": ["src"] }\n' };
  yield { path: `${root}/src/index.ts`, text: barrel([...folders.keys()].map(folder => `${folder}/index`)) };
  for (const [folder, files] of folders) {
    yield { path: `${root}/src/${folder}/index.ts`, text: barrel(files.map(one => one.stem)) };
    for (const file of files) {
      yield { path: `${root}/src/${folder}/${file.stem}.ts`, text: source(file, random) };
    }
  }
}

const barrel = (modules: readonly string[]): string => modules.map(one => `export * from './${one}.js';\n`).join('');

function source(file: FilePlan, random: Random): string {
  const names = new NamesInFile(file, what => what.name);
  const speech: Speech = {
    self: 'this',
    called: what => names.of(what),
    member: what => what.name,
    made: (what, size) => `new ${names.of(what)}(${size})`,
    local: name => name,
    declared: (name, type, value) => `const ${name}${type === undefined ? '' : `: ${names.of(type)}`} = ${value};`,
    added: value => `total += ${value};`,
    guarded: value => `if (${value} > 1000) throw new RangeError(String(total));`,
    foreign: member => [`for (const each of JSON.parse(String(limit))) total += each.size + each.${member}(limit);`],
  };
  const parameters = ({ takes }: FunctionPlan): string =>
    takes === undefined ? 'limit: number' : `limit: number, other: ${names.of(takes)}`;
  const given = ({ gives }: FunctionPlan): string => (gives === undefined ? 'number' : names.of(gives));
  const block = (head: string, one: FunctionPlan, self: ClassPlan | undefined): readonly string[] => [
    `/** ${sentence(one.name, random)} */`,
    `${head}${one.name}(${parameters(one)}): ${given(one)} {`,
    ...indented(['let total = limit;', ...bodyOf(speech, one, self, random), `return ${resultOf(speech, one)};`], '  '),
    '}',
  ];
  const lines = [
    ...file.classes.flatMap(one => [
      '',
      `/** ${sentence(one.name, random)} */`,
      `export class ${one.name}${one.base === undefined ? '' : ` extends ${names.of(one.base)}`} {`,
      ...indented(
        classBody(one, speech, names, method => block('', method, one)),
        '  ',
      ),
      '}',
    ]),
    ...file.functions.flatMap(one => ['', ...block('export function ', one, undefined)]),
  ];
  const imports = [...names.imported()].map(
    ([from, clauses]) => `import { ${clauses.join(', ')} } from '${specifier(file, from)}';`,
  );
  return `${[...imports, ...lines].join('\n').trimStart()}\n`;
}

function classBody(
  one: ClassPlan,
  speech: Speech,
  names: NamesInFile,
  block: (method: FunctionPlan) => readonly string[],
): readonly string[] {
  return [
    ...one.fields.map(({ name, type }) =>
      type === undefined ? `${name} = 1;` : `readonly ${name}: ${names.of(type)} = ${speech.made(type, '1')};`,
    ),
    '',
    'constructor(limit: number) {',
    ...(one.base === undefined ? [] : ['  super(limit);']),
    `  this.${one.fields[0]!.name} = limit;`,
    '}',
    ...one.methods.flatMap(method => ['', ...block(method)]),
  ];
}

/** Within a folder the file, within a package the file or its folder's barrel, else the package. */
function specifier(file: FilePlan, from: FilePlan): string {
  if (from.of !== file.of) return `@large/${from.of.name}`;
  if (from.folder === file.folder) return `./${from.stem}.js`;
  return `../${from.folder}/${from.stem.length % 3 === 0 ? 'index' : from.stem}.js`;
}
