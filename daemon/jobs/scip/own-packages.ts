import { parseScipSymbol } from '../../extract/scip/symbol-grammar.ts';
import type { ScipSymbols } from '../../extract/scip/symbol-table.ts';
import { descriptor } from '../../model/identity.ts';

/** A symbol as one version of its package has it, and any other. */
export interface SymbolWithoutVersion {
  /** The scheme, where no manager is named. */
  readonly manager: string;
  /** '' where it has no name. */
  readonly package: string;
  /** Its descriptors, one after the other. */
  readonly name: string;
}

/** Undefined of a symbol that is local to a document. */
export function symbolWithoutVersion(text: string): SymbolWithoutVersion | undefined {
  const parsed = parseScipSymbol(text);
  if (parsed.form !== 'global') return undefined;
  const { scheme, manager, package: packageName, descriptors } = parsed;
  const name = descriptors.map(one => descriptor(one.name, one.suffix, one.disambiguator)).join('');
  return { manager: manager === '' ? scheme : manager, package: bareName(manager, packageName), name };
}

/** PyPI tells names apart by letters and digits alone: an installed `Flask` is the repository's `flask`. */
function bareName(manager: string, packageName: string): string {
  return manager === 'python' ? packageName.toLowerCase().replace(/[-_.]+/g, '-') : packageName;
}

/**
 * The packages that an index defines symbols of. What else it names of them is nobody else's: it is of another project of
 * the repository, under the version that this one asks for, or in a file that the index leaves out.
 */
export class OwnPackages {
  readonly #symbols: ScipSymbols;
  readonly #joined: Iterable<number>;
  readonly #own = new Set<string>();
  /** By package and name; made where it is asked for first, which most indexes never do. */
  #byName: Map<string, number> | undefined;

  /** `defined`: all symbols that are defined in a document of the index; `joined`: those of them that are ours. */
  constructor(symbols: ScipSymbols, defined: Iterable<number>, joined: Iterable<number>) {
    this.#symbols = symbols;
    this.#joined = joined;
    // A package whose name ends behind a slash shares its prefix with others.
    const seen = new Set<number>();
    for (const symbol of defined) {
      const prefix = symbols.prefixOf(symbol);
      if (seen.has(prefix)) continue;
      const named = symbolWithoutVersion(symbols.text(symbol));
      if (named === undefined) continue;
      if (symbolWithoutVersion(symbols.prefixText(prefix)) !== undefined) seen.add(prefix);
      if (named.package !== '') this.#own.add(keyOf(named.manager, named.package));
    }
  }

  has({ manager, package: packageName }: SymbolWithoutVersion): boolean {
    return this.#own.has(keyOf(manager, packageName));
  }

  /** The symbol of ours that has this name under another version of its package. */
  symbolOf({ manager, package: packageName, name }: SymbolWithoutVersion): number | undefined {
    this.#byName ??= this.#named();
    return this.#byName.get(keyOf(manager, packageName, name));
  }

  #named(): Map<string, number> {
    const byName = new Map<string, number>();
    for (const symbol of this.#joined) {
      const named = symbolWithoutVersion(this.#symbols.text(symbol));
      if (named !== undefined) byName.set(keyOf(named.manager, named.package, named.name), symbol);
    }
    return byName;
  }
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\0');
}
