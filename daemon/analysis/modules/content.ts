import type { Configuration } from '../../model/configuration.ts';

/** What a manifest says under a key of its project part, else at its top: see `facts.configuration`. */
export function said(configuration: Configuration | undefined, key: string): unknown {
  return record(configuration?.['project'])[key] ?? configuration?.[key];
}

export function record(value: unknown): Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Configuration) : {};
}

/** A text; undefined for anything else, and for the empty one. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The texts of a list; one text alone is a list of it. */
export function texts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The members of an object that are texts, by their keys. */
export function textEntries(value: unknown): readonly (readonly [string, string])[] {
  return Object.entries(record(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}
