import type { ApiShape } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, mapOf } from '../document/nodes.ts';
import { type ShapesRead, shapeOf } from './shape.ts';

/**
 * The shapes that references may name, by the reference as it is written: `#/components/schemas/Cart`. Those that name a
 * place within another shape (`#/components/schemas/Cart/properties/items`) are looked up where they are compared.
 */
export function shapesOf(root: DocumentNode, read: ShapesRead): ReadonlyMap<string, ApiShape> {
  const [prefix, node] =
    read.version === '2.0'
      ? ['#/definitions/', at(root, 'definitions')]
      : ['#/components/schemas/', at(at(root, 'components'), 'schemas')];
  const shapes = new Map<string, ApiShape>();
  for (const [name, { line, value }] of mapOf(node).entries)
    shapes.set(prefix + name.replaceAll('~', '~0').replaceAll('/', '~1'), shapeOf(value, read, line));
  return shapes;
}
