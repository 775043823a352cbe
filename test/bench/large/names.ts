import type { ClassPlan, FilePlan, FunctionPlan } from './plan.ts';

export type Named = ClassPlan | FunctionPlan;

/** The names that one file gives to what it uses of others. */
export class NamesInFile {
  readonly #names = new Map<Named, string>();
  readonly #taken = new Set<string>();

  readonly file: FilePlan;
  readonly cased: (what: Named) => string;

  constructor(file: FilePlan, cased: (what: Named) => string) {
    this.file = file;
    this.cased = cased;
    for (const one of [...file.classes, ...file.functions]) this.of(one);
  }

  /** By its own name, or where that is taken one that tells its package. */
  of(what: Named): string {
    const known = this.#names.get(what);
    if (known !== undefined) return known;
    const own = this.cased(what);
    const name = this.#taken.has(own) ? `${own}_${what.file.of.name}` : own;
    this.#taken.add(name);
    this.#names.set(what, name);
    return name;
  }

  /** What of other files was named: file → clauses `name` or `name as other`. */
  imported(): ReadonlyMap<FilePlan, readonly string[]> {
    const found = new Map<FilePlan, string[]>();
    for (const [what, name] of this.#names) {
      if (what.file === this.file) continue;
      const own = this.cased(what);
      const clauses = found.get(what.file) ?? [];
      clauses.push(own === name ? own : `${own} as ${name}`);
      found.set(what.file, clauses);
    }
    return found;
  }
}
