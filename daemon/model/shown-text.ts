/** Texts of symbols as they are kept to be shown: a list of a hundred stays one that can be sent. */

const maxNameLength = 4096;
const maxContainersLength = 16_384;
const maxSignatureLength = 400;
const maxDocumentationLength = 4000;

/** What is longer is no name to look for. */
export function shownName(name: string): string {
  return name.slice(0, maxNameLength);
}

/** Names of all that something stands in. */
export function shownContainers(names: string): string {
  return names.slice(0, maxContainersLength);
}

/** On one line, as far as anybody reads it. */
export function shownSignature(text: string): string {
  return clip(oneLine(text), maxSignatureLength);
}

export function shownDocumentation(text: string): string {
  return clip(text, maxDocumentationLength);
}

function clip(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

function oneLine(text: string): string {
  return text
    .slice(0, 4 * maxSignatureLength)
    .replace(/\s+/g, ' ')
    .trim();
}
