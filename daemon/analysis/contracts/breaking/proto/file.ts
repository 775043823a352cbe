import type { OptionValue, ProtoSchema, SchemaOption } from '../../../../model/proto-schema.ts';
import { type Comparison, type Place, tell } from './comparison.ts';

/** The package, the syntax, options that name what is generated, and imports that a file hands on. */
export function compareFile(comparison: Comparison): void {
  const { before, after } = comparison;
  const [old, now] = [before.contract, after.contract];
  if (old.package !== now.package) tellPackage(comparison);
  if (old.syntax !== now.syntax) {
    tell(
      comparison,
      { everything: true },
      {
        id: 'syntax-changed',
        severity: 'risky',
        compatibility: ['source'],
        subject: after.side.path,
        message: `the syntax changed from ${old.syntax} to ${now.syntax}: presence, enums and lists follow other rules where nothing else is said`,
        before: { path: before.side.path, schema: old, line: old.syntaxLine },
        after: { path: after.side.path, schema: now, line: now.syntaxLine },
      },
    );
  }
  for (const [name, language] of generatorOptions) compareOption(comparison, name, language);
  comparePublicImports(comparison);
}

function tellPackage(comparison: Comparison): void {
  const { before, after } = comparison;
  const [old, now] = [before.contract, after.contract];
  const hasServices = old.services.length > 0;
  const calls = hasServices ? ': calls of its services go to other paths' : ': generated names change';
  tell(
    comparison,
    { everything: true },
    {
      id: 'package-changed',
      severity: 'breaking',
      compatibility: hasServices ? ['wire', 'json', 'source'] : ['json', 'source'],
      subject: old.package === '' ? before.side.path : old.package,
      message: `the package changed from ${named(old.package)} to ${named(now.package)}${calls}`,
      before: { path: before.side.path, schema: old, line: old.packageLine },
      after: { path: after.side.path, schema: now, line: now.packageLine },
    },
  );
}

function named(name: string): string {
  return name === '' ? 'none' : name;
}

/** What generated code is called, where it lies, or what it offers hangs on these. */
const generatorOptions: readonly (readonly [option: string, language: string])[] = [
  ['cc_enable_arenas', 'C++'],
  ['cc_generic_services', 'C++'],
  ['csharp_namespace', 'C#'],
  ['go_package', 'Go'],
  ['java_generic_services', 'Java'],
  ['java_multiple_files', 'Java'],
  ['java_outer_classname', 'Java'],
  ['java_package', 'Java'],
  ['java_string_check_utf8', 'Java'],
  ['objc_class_prefix', 'Objective-C'],
  ['optimize_for', 'C++ and Java'],
  ['php_class_prefix', 'PHP'],
  ['php_metadata_namespace', 'PHP'],
  ['php_namespace', 'PHP'],
  ['py_generic_services', 'Python'],
  ['ruby_package', 'Ruby'],
  ['swift_prefix', 'Swift'],
];

/** Of an option that nothing sets, what protobuf takes. */
const optionDefaults: Readonly<Record<string, string>> = {
  cc_enable_arenas: 'true',
  cc_generic_services: 'false',
  java_generic_services: 'false',
  java_multiple_files: 'false',
  java_string_check_utf8: 'false',
  optimize_for: 'SPEED',
  py_generic_services: 'false',
};

function compareOption(comparison: Comparison, name: string, language: string): void {
  const { before, after } = comparison;
  const [old, now] = [last(before.contract, name), last(after.contract, name)];
  const [was, is] = [
    textOf(old?.value) ?? optionDefaults[name] ?? '',
    textOf(now?.value) ?? optionDefaults[name] ?? '',
  ];
  if (was === is) return;
  tell(
    comparison,
    { everything: true },
    {
      id: `${name.replaceAll('_', '-')}-changed`,
      severity: 'breaking',
      compatibility: ['source'],
      subject: name,
      message: `${name} changed from ${JSON.stringify(was)} to ${JSON.stringify(is)}: generated ${language} code changes its names or what it offers`,
      before: placeIn(before.side.path, before.contract, old),
      after: placeIn(after.side.path, after.contract, now),
    },
  );
}

function last({ options }: ProtoSchema, name: string): SchemaOption | undefined {
  return options.findLast(option => option.name === name);
}

function textOf(value: OptionValue | undefined): string | undefined {
  return value?.kind === 'string' || value?.kind === 'word' ? value.text : undefined;
}

function placeIn(path: string, schema: ProtoSchema, option: SchemaOption | undefined): Place | undefined {
  return option === undefined ? undefined : { path, schema, line: option.line };
}

/** Whoever imports the file has what it imports so. */
function comparePublicImports(comparison: Comparison): void {
  const { before, after } = comparison;
  const kept = new Set(after.contract.imports.filter(({ kind }) => kind === 'public').map(({ path }) => path));
  for (const { path, kind, line } of before.contract.imports) {
    if (kind !== 'public' || kept.has(path)) continue;
    tell(
      comparison,
      { everything: true },
      {
        id: 'public-import-removed',
        severity: 'breaking',
        compatibility: ['source'],
        subject: path,
        message: `${path} is no longer imported publicly: files that have its types through this one lose them`,
        before: { path: before.side.path, schema: before.contract, line },
      },
    );
  }
}
