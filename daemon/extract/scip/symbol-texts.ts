import type { SymbolKind } from '../../model/symbol.ts';
import { shownDocumentation, shownSignature } from '../builder.ts';
import type { ScipSymbolInformation } from './information.ts';
import { kindOfSignature } from './symbol-kind.ts';

export interface SymbolTexts {
  readonly signature: string;
  readonly documentation: string;
  /** That the signature tells. */
  readonly written: SymbolKind | undefined;
}

/** What one text says as a signature; undefined where it is none. */
interface Signature {
  readonly shown: string;
  readonly written: SymbolKind | undefined;
}

const textsRemembered = 10_000;
const longestRemembered = 1_000;

/**
 * Signature and documentation of symbols. Where the signature has no field of its own, it is the first piece of the
 * documentation, in a fenced block. Most say what thousands of others do.
 */
export function symbolTexts(): (told: Pick<ScipSymbolInformation, 'signature' | 'documentation'>) => SymbolTexts {
  const known = new Map<string, Signature | undefined>();
  const first = (text: string): Signature | undefined => {
    if (known.has(text)) return known.get(text);
    const fenced = fencedCode(text);
    const read = fenced === undefined ? undefined : { shown: shownSignature(fenced), written: kindOfSignature(text) };
    if (text.length > longestRemembered) return read;
    if (known.size >= textsRemembered) known.clear();
    known.set(text, read);
    return read;
  };
  return ({ signature, documentation }) => {
    const [beginning = ''] = documentation;
    const fenced = first(beginning);
    const rest = fenced === undefined ? documentation : documentation.slice(1);
    return {
      signature: signature === '' ? (fenced?.shown ?? '') : shownSignature(signature),
      documentation: rest.length === 0 ? '' : shownDocumentation(rest.join('\n\n').trim()),
      written: signature === '' ? (fenced?.written ?? kindOfSignature(beginning)) : kindOfSignature(signature),
    };
  };
}

/** What stands in a block that is all of a text. */
function fencedCode(text: string): string | undefined {
  if (!text.startsWith('```')) return undefined;
  const start = text.indexOf('\n') + 1;
  const end = text.lastIndexOf('\n```');
  return start > 0 && end >= start - 1 ? text.slice(start, Math.max(start, end)) : undefined;
}
