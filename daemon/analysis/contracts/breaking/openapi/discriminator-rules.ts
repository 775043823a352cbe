import type { ApiDiscriminator, OpenApiSchema } from '../../../../model/openapi-schema.ts';
import type { FlatShape } from './flat-shape.ts';
import { nameOf } from './pointed-at.ts';
import type { Comparing, Say } from './shape-rules.ts';

/** What tells alternatives apart: the property, and which of its values stands for which of them. */
export function compareDiscriminators(
  { pairs, pair }: Comparing,
  say: Say,
  name: string,
  { discriminator: was }: FlatShape,
  { discriminator: is }: FlatShape,
): void {
  if (was?.property !== is?.property) {
    const message = `what tells the alternatives of ${name} apart changed from ${was?.property ?? 'nothing'} to ${is?.property ?? 'nothing'}`;
    say('discriminator-changed', 'breaking', message, { before: was?.line, after: is?.line });
  }
  if (was === undefined || was.property !== is?.property) return;
  const [old, now] = [pairs.old.schema, pairs.now.schema];
  const at = { before: was.line, after: is.line };
  for (const [value, target] of was.mapping) {
    const later = shapeOf(now, is, value);
    if (later === nameOf(target)) continue;
    const isGone = later === undefined;
    // Of a shape that is gone no answer has the value.
    const isSafe = isGone && pair.direction === 'response' && !isDeclared(now, nameOf(target));
    const message = isGone
      ? `${value} no longer stands for ${nameOf(target)} in ${was.property} of ${name}`
      : `${value} stands for ${later} instead of ${nameOf(target)} in ${was.property} of ${name}`;
    const id = isGone ? 'discriminator-value-removed' : 'discriminator-value-changed';
    say(id, isSafe ? 'safe' : 'breaking', message, at);
  }
  for (const [value, target] of is.mapping) {
    if (was.mapping.has(value) || shapeOf(old, was, value) === nameOf(target)) continue;
    const message = `${value} stands for ${nameOf(target)} in ${is.property} of ${name} now`;
    say('discriminator-value-added', pair.direction === 'request' ? 'safe' : 'risky', message, at);
  }
}

/** The name of the shape that a value stands for: what it is mapped to, else the shape that is called so. */
function shapeOf(schema: OpenApiSchema, { mapping }: ApiDiscriminator, value: string): string | undefined {
  const target = mapping.get(value);
  if (target !== undefined) return nameOf(target);
  return isDeclared(schema, value) ? value : undefined;
}

function isDeclared({ shapes }: OpenApiSchema, name: string): boolean {
  return shapes.has(`#/components/schemas/${name}`) || shapes.has(`#/definitions/${name}`);
}
