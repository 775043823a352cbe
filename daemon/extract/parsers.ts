import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Parser } from 'web-tree-sitter';
import { missingImports } from './grammar-imports.ts';

/** What the WebAssembly runtime that parsers stand in shows of itself, by name. */
export type Runtime = Readonly<Record<string, unknown>>;

export interface LoadedParser {
  readonly parser: Parser;
  readonly runtime: Runtime;
}

interface Opened {
  readonly library: typeof import('web-tree-sitter');
  readonly runtime: Runtime;
  readonly parsers: Map<string, Promise<Parser>>;
}

/** What this thread's parsers stand in. */
let opened: Promise<Opened> | undefined;

/** A grammar was built for another runtime: that is how svc is installed, and no file's fault. */
export class UnfitGrammar extends Error {
  readonly code = 'UNFIT_GRAMMAR';
}

/** The parser of a grammar, a file that can be resolved from this package. Throws `UnfitGrammar`. */
export async function parserFor(grammar: string): Promise<LoadedParser> {
  opened ??= forgottenIfFailed(open(), () => {
    opened = undefined;
  });
  const { library, runtime, parsers } = await opened;
  const known = parsers.get(grammar);
  if (known !== undefined) return { parser: await known, runtime };
  const made = forgottenIfFailed(load(grammar, library, runtime), () => parsers.delete(grammar));
  parsers.set(grammar, made);
  return { parser: await made, runtime };
}

/** Descriptors run out for a while: what failed for that is tried again by the next who asks. */
function forgottenIfFailed<Value>(made: Promise<Value>, forget: () => void): Promise<Value> {
  made.catch(forget);
  return made;
}

async function load(grammar: string, library: Opened['library'], runtime: Runtime): Promise<Parser> {
  const bytes = await readFile(resolve(grammar));
  const missing = missingImports(bytes, runtime);
  if (missing.length > 0) throw new UnfitGrammar(`${grammar} calls what its runtime has not: ${missing.join(', ')}`);
  return new library.Parser().setLanguage(await library.Language.load(bytes));
}

/**
 * Leaves this thread's parsers behind, with the memory that they share and whatever grammars have left in it. The next one
 * stands in new memory; the thread itself stays, and with it all that it has learnt to run fast.
 */
export function renewParsers(): void {
  opened = undefined;
}

const { resolve } = createRequire(import.meta.url);

/** The library keeps one runtime for as long as it is loaded, so it is loaded anew (20 ms); the old one is garbage then. */
async function open(): Promise<Opened> {
  // A `require` of its own each time, for Node.js keeps what one has loaded for as long as that one lives.
  const require = createRequire(import.meta.url);
  const library = require('web-tree-sitter') as Opened['library'];
  delete require.cache[require.resolve('web-tree-sitter')];
  const runtime = {};
  await library.Parser.init(runtime);
  return { library, runtime, parsers: new Map() };
}
