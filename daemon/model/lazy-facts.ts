import type { DocumentFacts } from './facts.ts';
import { FactsView } from './facts-codec.ts';

/**
 * Stored facts, decoded table by table when first touched. Most documents are opened only because another one imports
 * from them: their references, three quarters of the whole, stay bytes. Throws `BrokenFacts` where the buffer is none.
 */
export function lazyFacts(blob: Uint8Array): DocumentFacts {
  const view = new FactsView(blob);
  const facts = {
    language: view.language,
    lineCount: view.lineCount,
    packageName: view.packageName,
    standalone: view.standalone,
    configuration: view.configuration,
    parseErrors: view.parseErrors,
  };
  const table = <T>(name: keyof DocumentFacts, count: number, read: (index: number) => T): void => {
    Object.defineProperty(facts, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = Array.from({ length: count }, (_, index) => read(index));
        Object.defineProperty(facts, name, { value, enumerable: true });
        return value;
      },
    });
  };
  table('definitions', view.definitionCount, index => view.definition(index));
  table('imports', view.importCount, index => view.import(index));
  table('exports', view.exportCount, index => view.export(index));
  table('expressions', view.expressionCount, index => view.expression(index));
  table('references', view.referenceCount, index => view.reference(index));
  return facts as DocumentFacts;
}
