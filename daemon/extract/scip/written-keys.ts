import type { Range } from '../../model/facts.ts';
import { descriptor } from '../../model/identity.ts';
import type { SymbolMeaning, SymbolMeanings } from './symbol-meaning.ts';

/**
 * What the symbols mean that a document defines. Of a key that ends in digits the symbol alone can't tell these from the
 * count behind them (`mysql20:`); where it is defined it is as long as it is written.
 */
export function writtenMeanings(
  meanings: Pick<SymbolMeanings, 'of' | 'digits'>,
): (symbol: number, range: Range) => SymbolMeaning {
  /** By the tail without digits, the one of the latest key that has some: what it holds comes after it. */
  const keys = new Map<string, string>();
  return (symbol, range) => {
    const meaning = meanings.of(symbol);
    const kept = keptDigits(meaning, range, () => meanings.digits(symbol));
    const outer = keys.get(meaning.outer) ?? meaning.outer;
    if (kept === '' && outer === meaning.outer) {
      keys.delete(meaning.tail);
      return meaning;
    }
    const name = meaning.name + kept;
    const last = kept === '' ? meaning.tail.slice(meaning.outer.length) : descriptor(name, 'term');
    const tail = outer + last;
    keys.set(meaning.tail, tail);
    return { ...meaning, name, outer, tail };
  };
}

/** Columns count in units that differ for other names. */
const plain = /^[\x21-\x7e]+$/;

function keptDigits(
  { name, descriptors }: SymbolMeaning,
  { startLine, startColumn, endLine, endColumn }: Range,
  digits: () => string,
): string {
  const more = endColumn - startColumn - name.length;
  if (descriptors.at(-1)?.suffix !== 'meta' || startLine !== endLine || more <= 0 || !plain.test(name)) return '';
  const all = digits();
  return more <= all.length ? all.slice(0, more) : '';
}
