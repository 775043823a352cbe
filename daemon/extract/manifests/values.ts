import { type ParseError, parse as parseJsonc } from 'jsonc-parser';

/** What a configuration file says, as far as somebody asks. */
export type Content = Record<string, unknown>;

/** What reading one kind of configuration file gives. */
export interface Reading {
  /** The scope under which resolvers find the file: `npm:<name>`; '' for its path. */
  readonly scope: string;
  /** What linking needs of it. */
  readonly content: Content;
  /** What the module model needs besides: when it changes nothing is linked anew. */
  readonly project?: Content;
}

/** The value where it is an object; an empty one where it is anything else. */
export function object(value: unknown): Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Content) : {};
}

/** Without what is undefined. */
export function defined(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

/** As `defined`, and without lists and objects that hold nothing. */
export function said(content: Content): Content {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && (value === null || Object.keys(value).length === 0);
}

/** A text; undefined for anything else, and for the empty one. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a list; one text alone is a list of it. */
export function texts(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.slice(0, maxItems).filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The members of an object that are texts. */
export function textsByKey(value: unknown): Record<string, string> {
  const entries = Object.entries(object(value)).slice(0, maxItems);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** More items of a list, or members of an object, than this are nobody's handwriting. */
export const maxItems = 10_000;

export function jsonc(source: string): unknown {
  const errors: ParseError[] = [];
  return parseJsonc(source, errors, { allowTrailingComma: true, disallowComments: false });
}

/** Sorted keys where order says nothing. In `exports` and `paths` order matters little to us, since every condition is tried. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}
