/** The facts of one content as artifacts carry them: as many as there are dialects that it is read in. */
export interface ParcelPart {
  readonly dialect: string;
  readonly version: number;
  /** Encoded `DocumentFacts`. */
  readonly facts: Uint8Array;
  /** The text, deflated. */
  readonly text: Uint8Array;
}

/**
 * One line of JSON that names the parts and their lengths, then the parts one behind the other; base64. Neither side
 * decodes what it holds to compare it.
 */
export function packFacts(parts: readonly ParcelPart[]): string {
  const head = parts.map(({ dialect, version, facts, text }) => [dialect, version, facts.length, text.length]);
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  return Buffer.concat([line, ...parts.flatMap(({ facts, text }) => [facts, text])]).toString('base64');
}

/** Undefined for what `packFacts` never gives. */
export function unpackFacts(base64: string): readonly ParcelPart[] | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return undefined;
  const end = bytes.indexOf(10);
  const head = end < 0 || end > longestHead ? undefined : headOf(bytes.toString('utf8', 0, end));
  if (head === undefined) return undefined;
  const parts: ParcelPart[] = [];
  let at = end + 1;
  for (const [dialect, version, factsLength, textLength] of head) {
    const facts = bytes.subarray(at, at + factsLength);
    const text = bytes.subarray(at + factsLength, at + factsLength + textLength);
    at += factsLength + textLength;
    parts.push({ dialect, version, facts, text });
  }
  return at === bytes.length ? parts : undefined;
}

const longestHead = 4096;
type Head = readonly (readonly [dialect: string, version: number, facts: number, text: number])[];

function headOf(text: string): Head | undefined {
  try {
    const head: unknown = JSON.parse(text);
    const isHead = Array.isArray(head) && head.every(isPart);
    return isHead ? (head as Head) : undefined;
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): boolean {
  if (!Array.isArray(part) || part.length !== 4 || typeof part[0] !== 'string') return false;
  return part.slice(1).every(number => Number.isSafeInteger(number) && number >= 0);
}
