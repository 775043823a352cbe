import { type Reading, said } from './values.ts';

/**
 * Pages with C# in them (Razor, Web Forms): `typeNames` has the words that may be names of types and of what extends others'
 * types. What is code in them can't be told from prose without a parser of both.
 */
export function readRazor(source: string): Reading {
  const page = source.slice(0, longest).replace(/@\*[\s\S]*?(?:\*@|$)|<!--[\s\S]*?(?:-->|$)/g, '');
  return named(page.matchAll(/(?<![\w&#-])([A-Z]\w{1,200})(?![\w-])/g));
}

/** XAML: `typeNames` has the elements and values that a prefix says to be of a namespace of C#, and the class of the page; `names` the pages that it shows. */
export function readXaml(source: string): Reading {
  const page = source.slice(0, longest).replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const types = page.matchAll(
    /[\w]:(?:Class|DataType|TypeArguments)\s*=\s*["'](?:[\w.]{1,300}[.:])?([A-Z]\w*)|(?<![\w:])[\w]{1,100}:([A-Z]\w{0,200})/g,
  );
  const pages = [...page.matchAll(/\b(?:StartupUri|Source)\s*=\s*["']([^"'{}\s]{1,300}\.xaml)["']/g)];
  const names = said({ page: [...new Set(pages.map(([, path]) => `${path}.cs`))].sort() });
  return named(types, said({ names }));
}

/** Settings of .NET: `typeNames` has the last part of each dotted name, as in `type="A.B.C, D"`. */
export function readDotnetSettings(source: string): Reading {
  return named(source.slice(0, longest).matchAll(/(?<![\w.])(?:[A-Z]\w{0,100}\.){1,20}([A-Z]\w{0,200})(?![\w.])/g));
}

const longest = 500_000;
const mostNames = 2_000;

function named(found: Iterable<RegExpExecArray>, project: Record<string, unknown> = {}): Reading {
  const names = new Set<string>();
  for (const [, first, second] of found) if (names.size < mostNames) names.add(first ?? second ?? '');
  return { scope: '', content: {}, project: said({ ...project, typeNames: [...names].sort() }) };
}
