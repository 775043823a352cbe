import type { EnclosedRow } from './symbol-rows.ts';

/** The chain of a definition of which nobody has looked yet what encloses it. */
export const untold = 0;

/** Chains as they are kept: of each the one around it (0: none) and its name, an index into `names`. */
export interface ChainColumns {
  readonly around: ArrayLike<number>;
  readonly texts: ArrayLike<number>;
  readonly names: readonly string[];
}

/**
 * What encloses definitions, as chains of names from the file's package inwards. Most definitions share one with others;
 * chains are numbered from 1 and only ever added.
 */
export class EnclosingChains {
  #around: number[];
  #texts: number[];
  readonly #names: string[];
  /** To find what has been added since the last rest. */
  #known: { readonly names: Map<string, number>; readonly chains: Map<number, number> } | undefined;

  constructor(columns?: ChainColumns) {
    this.#around = Array.from(columns?.around ?? [0]);
    this.#texts = Array.from(columns?.texts ?? [0]);
    this.#names = [...(columns?.names ?? [])];
  }

  get count(): number {
    return this.#around.length;
  }

  columns(): ChainColumns {
    return { around: this.#around, texts: this.#texts, names: this.#names };
  }

  numberOf({ packageName, containers }: Omit<EnclosedRow, 'path'>): number {
    return containers.reduce((chain, name) => this.#inside(chain, name), this.#inside(untold, packageName));
  }

  packageName(chain: number): string {
    let outermost = chain;
    for (let next = this.#around[chain]!; next !== untold; next = this.#around[next]!) outermost = next;
    return this.#names[this.#texts[outermost]!]!;
  }

  /** Outermost first. */
  containers(chain: number): string[] {
    const names: string[] = [];
    for (let at = chain, next = this.#around[at]!; next !== untold; at = next, next = this.#around[at]!) {
      names.push(this.#names[this.#texts[at]!]!);
    }
    return names.reverse();
  }

  /** The name of what stands around a definition of that chain; undefined where nothing does. */
  innermost(chain: number): string | undefined {
    return this.#around[chain] === untold ? undefined : this.#names[this.#texts[chain]!]!;
  }

  /** Lets go of what finds the chains that are there, which takes more memory than they do: later ones share none with them. */
  rest(): void {
    this.#known = undefined;
  }

  #inside(around: number, name: string): number {
    this.#known ??= { names: new Map(), chains: new Map() };
    const { names, chains } = this.#known;
    let text = names.get(name);
    if (text === undefined) {
      text = this.#names.push(name) - 1;
      names.set(name, text);
    }
    const key = around * namesAtMost + text;
    const known = chains.get(key);
    if (known !== undefined) return known;
    this.#texts.push(text);
    const chain = this.#around.push(around) - 1;
    chains.set(key, chain);
    return chain;
  }
}

const namesAtMost = 2 ** 26;
