import { TomlError } from 'smol-toml';

/** Why a text is no TOML, and where: both from 1. */
export interface TomlProblem {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** Bytes that are no text have no meaning that could be guessed. */
class NotUtf8 extends Error {
  readonly line: number;
  readonly column: number;

  constructor(before: string) {
    super('not UTF-8');
    this.line = before.split('\n').length;
    this.column = before.length - before.lastIndexOf('\n');
  }
}

/** The text of a TOML file, without the mark that some editors put before it. Throws what `tomlProblem` explains. */
export function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const lossy = new TextDecoder().decode(bytes);
    const encoded = Buffer.from(lossy);
    const shift = bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const at = encoded.findIndex((byte, index) => byte !== bytes[index + shift]);
    throw new NotUtf8(new TextDecoder().decode(encoded.subarray(0, at)));
  }
}

/** Undefined for an error that says something else. */
export function tomlProblem(error: unknown): TomlProblem | undefined {
  if (error instanceof NotUtf8)
    return { line: error.line, column: error.column, reason: 'what stands there is not UTF-8' };
  if (!(error instanceof TomlError)) return undefined;
  const reason = error.message.split('\n')[0]!.replace(/^Invalid TOML document: /, '');
  return { line: error.line, column: error.column, reason };
}
