const secretName = '(?:token|secret|passw(?:or)?d|authorization|api[_-]?key)';

/** What follows a secret's name, up to the end of its value: in a query, in JSON, and in JSON that stands quoted in JSON. */
const namedValues: readonly RegExp[] = [
  new RegExp(String.raw`((?:^|[?&;"'\s])[\w.%[\]-]*${secretName}[\w.%[\]-]*=)[^&"'\s\\]+`, 'gi'),
  new RegExp(String.raw`("[^"\\]*${secretName}[^"\\]*"\s*:\s*")(?:[^"\\]|\\.)*`, 'gi'),
  new RegExp(String.raw`(\\"[^"\\]*${secretName}[^"\\]*\\"\s*:\s*\\")[^"\\]*`, 'gi'),
  /(\b(?:Bearer|Basic) +)[^\s"\\]+/gi,
];

/** A password in an address, its user left to be seen. */
const addressPassword = /(\/\/[^/\s"@:]*:)[^/\s"@]+(?=@)/g;

/** Long runs of the characters that tokens are made of: 40 hexadecimal digits, 32 bytes in hexadecimal or base64url, and longer.
 * A run is looked at from its first character alone: every line of the log passes through here. */
const tokenShape = /(?<![\w-])[\w-]{40,}/g;

/**
 * A path, a query or a line of the log as it may be kept: values of secret-named keys and whatever is shaped like a token
 * are struck out. Content hashes (`sha256:…`), which are public, stay.
 */
export function maskSecrets(text: string): string {
  if (!mayHoldSecret.test(text) && !hasLongRun(text)) return text;
  const unnamed = namedValues.reduce((left, pattern) => left.replace(pattern, '$1***'), text);
  return unnamed
    .replace(addressPassword, '$1***')
    .replace(/\bsvc_sk_[0-9A-Za-z]+/g, '***')
    .replace(tokenShape, (run, at: number, whole: string) => (whole.slice(at - 7, at) === 'sha256:' ? run : '***'));
}

/** What all of the patterns but the last need: most lines of the log have none of it, and are looked through once. */
const mayHoldSecret = /token|secret|passw|authorization|api[_-]?key|bearer |basic |\/\/|svc_sk_/i;

/** Whether `tokenShape` has anything to find. A run of 40 covers a place that 40 divides: no other is looked at first. */
function hasLongRun(text: string): boolean {
  for (let at = runLength - 1; at < text.length; at += runLength) {
    if (!isOfTokens(text.charCodeAt(at))) continue;
    let from = at;
    while (from > 0 && isOfTokens(text.charCodeAt(from - 1))) from--;
    let end = at + 1;
    while (end < text.length && isOfTokens(text.charCodeAt(end))) end++;
    if (end - from >= runLength) return true;
  }
  return false;
}

const runLength = 40;

/** `[\w-]` */
function isOfTokens(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x2d
  );
}
