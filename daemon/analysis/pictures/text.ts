/** Text of markup: what could end a text, an attribute or a comment is an entity, what XML 1.0 does not allow is U+FFFD. */
export function escapedXml(text: string): string {
  return withoutControls(text).replace(/[<>&"']/g, sign => entities.get(sign)!);
}

const entities: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** One line of text: control signs, halves of surrogate pairs, and what turns the direction of the text round, as U+FFFD. */
export function withoutControls(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]|\p{Cs}/gu,
    '\ufffd',
  );
}

/** How many columns of a fixed-width font a text takes: wide signs of East Asia and pictures two, what stands above others none. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const sign of text) columns += wide.test(sign) ? 2 : /\p{Mn}|\p{Me}|\p{Cf}/u.test(sign) ? 0 : 1;
  return columns;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** A text of at most so many columns: its middle gives way, for beginning and end tell most of a path. */
export function shortened(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  const signs = [...text];
  const head = Math.ceil((most - 1) * 0.4);
  let front = '';
  let at = 0;
  while (at < signs.length && columnsOf(front + signs[at]!) <= head) front += signs[at++]!;
  let back = '';
  const room = most - 1 - columnsOf(front);
  for (let end = signs.length - 1; end >= at && columnsOf(signs[end]! + back) <= room; end--) back = signs[end]! + back;
  return `${front}…${back}`;
}
