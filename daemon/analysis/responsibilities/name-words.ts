/** Names that are written in two humps and are one word. */
const oneWord =
  /TypeScript|JavaScript|ESLint|GitHub|GitLab|GraphQL|WebSocket|OpenAPI|OAuth|MySQL|MongoDB|PostgreSQL|YouTube|DevTools|OpenTelemetry|NoSQL|IPv(?=\d)/g;

/** The words of a name as code writes it, in lower case: `parseJSONFile` is parse, json, file; `HTTP2Server` http2, server. */
export function wordsOfName(name: string): readonly string[] {
  return (
    name
      .slice(0, longestName)
      .replace(oneWord, word => ` ${word.toLowerCase()}`)
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

const longestName = 200;
