import { type ApiLimit, type ApiLimitKind, limitKinds } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue } from '../document/nodes.ts';

/** Until 3.0 `exclusiveMinimum` is a mark on `minimum`; it is told as the limit that it is since. */
export function limitsOf(node: DocumentNode): readonly ApiLimit[] {
  return limitKinds.flatMap(kind => {
    const limit = at(node, kind);
    if (limit?.kind !== 'scalar') return [];
    const { line, value } = limit;
    if (typeof value === 'number' && Number.isFinite(value)) {
      const isMarked = isTrue(at(node, exclusiveOf(kind)));
      return isMarked ? [] : [{ kind, value, line }];
    }
    const bound = value === true ? at(node, boundOf(kind)) : undefined;
    return bound?.kind === 'scalar' && typeof bound.value === 'number' ? [{ kind, value: bound.value, line }] : [];
  });
}

function exclusiveOf(kind: ApiLimitKind): string {
  return kind === 'minimum' ? 'exclusiveMinimum' : kind === 'maximum' ? 'exclusiveMaximum' : '';
}

function boundOf(kind: ApiLimitKind): string {
  return kind === 'exclusiveMinimum' ? 'minimum' : kind === 'exclusiveMaximum' ? 'maximum' : '';
}
