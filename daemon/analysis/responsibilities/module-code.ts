import type { CodeModule, Entrypoint } from '../../model/module.ts';
import type { SymbolKind } from '../../model/symbol.ts';

/** What the code of a module has to say, where no text does. */
export interface ModuleCode {
  readonly module: Pick<CodeModule, 'path' | 'name' | 'isTest' | 'language'>;
  /** Paths of its files of code, sorted. */
  readonly files: readonly string[];
  /** What it offers to others, the most used first, as far as names are looked at. */
  readonly exported: readonly ExportedName[];
  /** All that it offers. */
  readonly exportCount: number;
  /** Where its programs and libraries begin; those that measure it or show how it is used are none of them. */
  readonly entrypoints: readonly Pick<Entrypoint, 'name' | 'kind'>[];
  /** Names of the modules that it uses most, where it is tests. */
  readonly tested: readonly string[];
  /** Names of the modules below it. */
  readonly below: readonly string[];
}

export interface ExportedName {
  readonly name: string;
  readonly kind: SymbolKind;
  /** What is written above it; read when it is asked for. */
  readonly documentation: () => string;
  /** How many files of other modules use it, and of its own but for that where it stands; tests left out. */
  readonly usedElsewhere: number;
  readonly usedInside: number;
}
