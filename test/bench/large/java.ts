import { bodyOf, resultOf, type Speech } from './body.ts';
import { type ClassPlan, type FilePlan, type FunctionPlan, lower, type PackagePlan, type Random } from './plan.ts';
import { indented, type MadeFile, sentence } from './text.ts';

/** A module of a Maven build: one public class for each file, the others and the functions are its static members. */
export function* javaPackage(of: PackagePlan, random: Random): Generator<MadeFile> {
  const root = `java/${of.name}`;
  yield { path: `${root}/pom.xml`, text: `<project>\n  <artifactId>${of.name}</artifactId>\n</project>\n` };
  for (const file of of.files) {
    const folder = `${root}/src/main/java/com/example/${of.name}/${file.folder}`;
    yield { path: `${folder}/${mainOf(file).name}.java`, text: source(file, random) };
  }
}

const mainOf = ({ classes }: FilePlan): ClassPlan => classes[0]!;
const packageOf = ({ of, folder }: FilePlan): string => `com.example.${of.name}.${folder}`;

function source(file: FilePlan, random: Random): string {
  const names = new Map<FilePlan, string>([[file, mainOf(file).name]]);
  const imported: string[] = [];
  /** Its main class, by its full name where another is called so already. */
  const mainCalled = (from: FilePlan): string => {
    const known = names.get(from);
    if (known !== undefined) return known;
    const own = mainOf(from).name;
    const isTaken = [...names.values()].includes(own) || file.classes.some(one => one.name === own);
    const name = isTaken ? `${packageOf(from)}.${own}` : own;
    if (!isTaken && packageOf(from) !== packageOf(file)) imported.push(`import ${packageOf(from)}.${own};`);
    names.set(from, name);
    return name;
  };
  const called = (what: ClassPlan | FunctionPlan): string => {
    const main = mainCalled(what.file);
    if (what === mainOf(what.file)) return main;
    return what.file === file ? what.name : `${main}.${what.name}`;
  };
  const speech: Speech = {
    self: 'this',
    called,
    member: what => what.name,
    made: (what, size) => `new ${called(what)}(${size})`,
    local: name => name,
    declared: (name, type, value) => `${type === undefined ? 'var' : called(type)} ${name} = ${value};`,
    added: value => `total += ${value};`,
    guarded: value => `if (${value} > 1000) throw new IllegalStateException(String.valueOf(total));`,
    foreign: () => ['total += Math.max(String.valueOf(limit).length(), total);'],
  };
  const parameters = ({ takes }: FunctionPlan): string =>
    takes === undefined ? 'int limit' : `int limit, ${called(takes)} other`;
  const given = ({ gives }: FunctionPlan): string => (gives === undefined ? 'int' : called(gives));
  const block = (modifiers: string, one: FunctionPlan, self: ClassPlan | undefined): readonly string[] => [
    '',
    `/** ${sentence(one.name, random)} */`,
    `${modifiers} ${given(one)} ${lower(one.name)}(${parameters(one)}) {`,
    ...indented(['int total = limit;', ...bodyOf(speech, one, self, random), `return ${resultOf(speech, one)};`], '  '),
    '}',
  ];
  const typeOf = (one: ClassPlan, modifiers: string, more: readonly string[]): readonly string[] => [
    '',
    `/** ${sentence(one.name, random)} */`,
    `${modifiers} ${one.name}${one.base === undefined ? '' : ` extends ${called(one.base)}`} {`,
    ...indented(
      [...members(one, speech), ...one.methods.flatMap(method => block('public', method, one)), ...more],
      '  ',
    ),
    '}',
  ];
  const [main, ...nested] = file.classes;
  const inside = [
    ...nested.flatMap(one => typeOf(one, 'public static class', [])),
    ...file.functions.flatMap(one => block('public static', one, undefined)),
  ];
  const type = typeOf(main!, 'public class', inside);
  return `${[`package ${packageOf(file)};`, '', ...imported, ...type].join('\n')}\n`;
}

function members(one: ClassPlan, speech: Speech): readonly string[] {
  return [
    ...one.fields.map(({ name, type }) =>
      type === undefined
        ? `public int ${name} = 1;`
        : `public ${speech.called(type)} ${name} = ${speech.made(type, '1')};`,
    ),
    '',
    `public ${one.name}(int limit) {`,
    ...(one.base === undefined ? [] : ['  super(limit);']),
    `  this.${one.fields[0]!.name} = limit;`,
    '}',
  ];
}
