import { bodyOf, resultOf, type Speech } from './body.ts';
import {
  type ClassPlan,
  capital,
  type FilePlan,
  type FunctionPlan,
  type PackagePlan,
  type Random,
  snake,
} from './plan.ts';
import { indented, type MadeFile, sentence } from './text.ts';

/** Packages of the one module `go/`, a folder each. */
export function* goPackage(of: PackagePlan, random: Random): Generator<MadeFile> {
  for (const file of of.files) {
    yield { path: `go/${of.name}/${file.folder}/${snake(file.stem)}.go`, text: source(file, random) };
  }
}

export const goModule = 'example.com/large';

function source(file: FilePlan, random: Random): string {
  const imported = new Set<string>();
  const called = (what: ClassPlan | FunctionPlan, prefix = ''): string => {
    const name = `${prefix}${capital(what.name)}`;
    const from = what.file;
    if (from.of === file.of && from.folder === file.folder) return name;
    const alias = `${from.of.name}${from.folder}`;
    imported.add(`\t${alias} "${goModule}/${from.of.name}/${from.folder}"`);
    return `${alias}.${name}`;
  };
  const speech: Speech = {
    self: 'one',
    called,
    member: what => capital(what.name),
    made: (what, size) => `${called(what, 'New')}(${size})`,
    local: name => name,
    declared: (name, type, value) =>
      type === undefined ? `${name} := ${value}` : `var ${name} *${called(type)} = ${value}`,
    added: value => `total += ${value}`,
    guarded: value => `if ${value} > 1000 { panic(fmt.Sprint(total)) }`,
    foreign: () => ['total += len(strings.Repeat(fmt.Sprint(total), limit))'],
  };
  const parameters = ({ takes }: FunctionPlan): string =>
    takes === undefined ? 'limit int' : `limit int, other *${called(takes)}`;
  const given = ({ gives }: FunctionPlan): string => (gives === undefined ? 'int' : `*${called(gives)}`);
  const block = (receiver: string, one: FunctionPlan, self: ClassPlan | undefined): readonly string[] => [
    '',
    `// ${capital(one.name)} ${sentence(one.name, random).toLowerCase()}`,
    `func ${receiver}${capital(one.name)}(${parameters(one)}) ${given(one)} {`,
    ...indented(['total := limit', ...bodyOf(speech, one, self, random), `return ${resultOf(speech, one)}`], '\t'),
    '}',
  ];
  const lines = [
    ...file.classes.flatMap(one => [
      ...struct(one, speech, called, sentence(one.name, random)),
      ...one.methods.flatMap(method => block(`(one *${one.name}) `, method, one)),
    ]),
    ...file.functions.flatMap(one => block('', one, undefined)),
  ];
  const head = [`package ${file.folder}`, '', 'import (', '\t"fmt"', '\t"strings"', ...imported, ')'];
  return `${[...head, ...lines].join('\n')}\n`;
}

function struct(one: ClassPlan, speech: Speech, called: (what: ClassPlan) => string, about: string): readonly string[] {
  const { name, base, fields } = one;
  const typed = fields.flatMap(({ name, type }) => (type === undefined ? [] : [{ name: capital(name), type }]));
  return [
    '',
    `// ${name} ${about.toLowerCase()}`,
    `type ${name} struct {`,
    ...(base === undefined ? [] : [`\t*${called(base)}`]),
    ...fields.map(({ name, type }) => `\t${capital(name)} ${type === undefined ? 'int' : `*${called(type)}`}`),
    '}',
    '',
    `// New${name} makes one.`,
    `func New${name}(limit int) *${name} {`,
    `\treturn &${name}{`,
    ...(base === undefined ? [] : [`\t\t${base.name}: ${speech.made(base, 'limit')},`]),
    `\t\t${capital(fields[0]!.name)}: limit,`,
    ...typed.map(({ name, type }) => `\t\t${name}: ${speech.made(type, '1')},`),
    '\t}',
    '}',
  ];
}
