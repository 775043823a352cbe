import { type ApiProperty, type ApiShape, anything } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, textOf } from '../document/nodes.ts';
import { type ShapesRead, shapeOf } from './shape.ts';

/** The fields of a form of version 2 as the object that version 3 has in their place. */
export function formShape(fields: readonly DocumentNode[], shapes: ShapesRead): ApiShape {
  const properties = new Map<string, ApiProperty>();
  const required: string[] = [];
  for (const field of fields) {
    const name = textOf(at(field, 'name')) ?? '';
    properties.set(name, { line: field.line, shape: shapeOf(field, shapes, field.line) });
    if (isTrue(at(field, 'required'))) required.push(name);
  }
  return { ...anything(fields[0]?.line ?? 1), types: ['object'], properties, required };
}
