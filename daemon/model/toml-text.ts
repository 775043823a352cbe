/** A text as TOML has it between quotes, on one line; what a terminal wouldn't show as it is, or TOML has not as it is, is escaped. */
export function tomlText(text: string): string {
  // Half a surrogate pair is no text. What JSON escapes TOML knows by the same names.
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
