import type { Tree } from 'web-tree-sitter';

/** What a grammar calls its nodes and fields. */
export interface Vocabulary {
  readonly typeNames: readonly string[];
  /** 1 for named node types, 0 for tokens; the last entry is the error node. */
  readonly named: Uint8Array;
  readonly fieldNames: readonly string[];
  /** Of the fields that have a name. */
  readonly fieldIds: ReadonlyMap<string, number>;
}

const vocabularies = new WeakMap<object, Vocabulary>();

export function vocabularyOf(tree: Tree): Vocabulary {
  const { language } = tree;
  const known = vocabularies.get(language);
  if (known !== undefined) return known;
  const typeNames = [...language.types.map(asKey), 'ERROR'];
  const named = Uint8Array.from(typeNames, (_, id) =>
    id === language.types.length || language.nodeTypeIsNamed(id) ? 1 : 0,
  );
  const fieldNames = language.fields.map(name => name ?? '');
  const fieldIds = new Map(fieldNames.flatMap((name, id) => (name === '' ? [] : [[name, id] as const])));
  const made = { typeNames, named, fieldNames, fieldIds };
  vocabularies.set(language, made);
  return made;
}

/**
 * The same text as the engine keeps it for keys and literals. Walkers compare kinds with literals all the time, and of two
 * such texts it compares addresses; of one that was put together from memory it compares the characters.
 */
function asKey(text: string): string {
  return Object.keys({ [text]: 0 })[0]!;
}
