import type { ApiShape, OpenApiSchema } from '../../../../model/openapi-schema.ts';

/** What a reference names: a shape of the document, or a place within one; undefined where that is elsewhere or nowhere. */
export function pointedAt({ shapes }: OpenApiSchema, reference: string): ApiShape | undefined {
  const whole = shapes.get(reference) ?? shapes.get(decoded(reference));
  if (whole !== undefined || !reference.startsWith('#/')) return whole;
  const parts = decoded(reference).split('/');
  const length = parts[1] === 'definitions' ? 3 : 4;
  let found = shapes.get(parts.slice(0, length).join('/'));
  for (let at = length; at < parts.length && found !== undefined; at++) {
    const part = parts[at]!;
    const list = part === 'allOf' || part === 'oneOf' || part === 'anyOf' ? found[part] : undefined;
    if (part === 'items') found = found.items;
    else if (part === 'properties') found = found.properties.get(plain(parts[++at] ?? ''))?.shape;
    else if (part === 'additionalProperties')
      found = typeof found.additional === 'string' ? undefined : found.additional;
    else found = list?.[Number(parts[++at])];
  }
  return parts.length > length ? found : undefined;
}

function plain(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The last part of a reference, by which people call it. */
export function nameOf(reference: string): string {
  return plain(decoded(reference.slice(reference.lastIndexOf('/') + 1)));
}
