import { type Found, inCode, type Source } from '../text/source.ts';
import { type ImportedType, typeImports } from './type-imports.ts';

/** `use acme_schemas::acme::events::v1::{OrderPlaced, OrderPaid};`, `acme::events::v1::OrderPlaced::decode(…)`. */
export function messageTypes(source: Source): readonly Found[] {
  return typeImports(source, typesIn(source), speaks.test(source.code));
}

/** What prost's messages alone do. */
const speaks = /\bprost::Message\b|\.encode_(?:to_vec|length_delimited)\(/;

const others =
  /^(?:std|core|alloc|tokio|futures|serde|serde_json|tonic|prost|prost_types|anyhow|thiserror|tracing|axum)\./;

function* typesIn(source: Source): Iterable<ImportedType> {
  const { code } = source;
  for (const match of inCode(source, /(?<![\w:])((?:[a-z_]\w{0,80}::){1,12})(?=[A-Z*{])/g)) {
    const { index: at } = match;
    const end = at + match[0].length;
    const before = code.slice(Math.max(0, at - 1_000), at);
    const [, outer = ''] =
      /\buse\s{1,10}([\w:]{1,300}::)\{[^;]{0,900}$/.exec(before.slice(before.lastIndexOf(';') + 1)) ?? [];
    const from = `${outer}${match[1]!}`
      .replace(/^(?:(?:crate|self|super)::){1,5}/, '')
      .replace(/::$/, '')
      .replaceAll('::', '.');
    // Modules of services are told as what they are.
    if (from === '' || /_(?:client|server)$/.test(from) || others.test(`${from}.`)) continue;
    if (code[end] === '*') yield { at, from };
    else for (const type of namesAt(code, end)) yield { at, from, type };
  }
}

function namesAt(code: string, at: number): readonly string[] {
  const [listed] = /^(?:[A-Z]\w{0,150}|\{[^{};]{0,2000})/.exec(code.slice(at, at + 2_100)) ?? [];
  return listed?.match(/(?<![\w:]|\bas\s{1,10})[A-Z]\w{0,150}(?!\w)/g) ?? [];
}
