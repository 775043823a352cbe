import type { Condition } from '../../model/facts.ts';
import { either, optionsOf } from '../options.ts';
import { isPlace } from '../roles.ts';
import type { Value } from '../values.ts';
import { standardNames } from './library.ts';

/** What stands on other platforms alone may be what is meant, and may be in the place of what the system has here. */
const elsewhereOnly = 0.7;

/** Under which condition of the preprocessor a name stands that is looked for: see `written` of C's extraction. */
export function conditionOf(name: string): Condition {
  return name.startsWith('-') ? 'never' : name.startsWith('~') ? 'elsewhere' : '';
}

/**
 * What of some values may be meant where a name stands: nothing that no build has, but in what no build has either; and of
 * what other platforms alone have nothing that stands in for the library there, anything else last.
 */
export function* standingOf(values: Iterable<Value | undefined>, name: string, use: Condition): Generator<Value> {
  const last: Value[] = [];
  for (const value of values) {
    if (value === undefined) continue;
    const options = use === 'never' ? [value] : optionsOf(value).filter(one => !isOnly(one, 'never'));
    const here = use === '' ? options.filter(one => !isOnly(one, 'elsewhere')) : options;
    const found = either(here);
    if (found !== undefined) yield found;
    else last.push(...options);
  }
  if (standardNames.has(name)) return;
  for (const one of last) yield one.kind === 'definition' ? { ...one, confidence: elsewhereOnly } : one;
}

/** Whether no build has it, or else none but those of other platforms. */
function isOnly(one: Value, under: Exclude<Condition, ''>): boolean {
  if (one.kind !== 'definition' || isPlace(one)) return false;
  return one.sites.every(({ document, slot }) => {
    const { condition } = document.facts.definitions[slot]!;
    return condition === 'never' || condition === under;
  });
}
