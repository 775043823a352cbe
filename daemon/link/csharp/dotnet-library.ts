import { bareType } from '../instances.ts';
import type { Value } from '../values.ts';

/** A type of .NET's library, or of a package for it, applied to arguments. */
interface DotnetType {
  readonly bare: Extract<Value, { kind: 'external' }>;
  readonly arguments: readonly (Value | undefined)[];
}

/** Properties that give what such types hold: the argument at a position, or the last. */
const held: Readonly<Record<string, readonly (readonly [types: string, position: number])[]>> = {
  Value: [
    ['Nullable Lazy LinkedListNode ThreadLocal AsyncLocal StrongBox KeyValuePair', -1],
    ['IOptions IOptionsSnapshot', 0],
  ],
  CurrentValue: [['IOptionsMonitor', 0]],
  Key: [['KeyValuePair IGrouping', 0]],
  Result: [['Task ValueTask', 0]],
  Current: [['IEnumerator IAsyncEnumerator', 0]],
};

const maps = new Set('Dictionary IDictionary IReadOnlyDictionary ConcurrentDictionary SortedDictionary'.split(' '));

/** What reading a property of a value of such a type gives, where that is of one of the type's arguments. */
export function dotnetHeld(value: Value, name: string): Value | undefined {
  const type = dotnetType(value);
  if (type === undefined) return undefined;
  const { bare, arguments: given } = type;
  if (maps.has(bare.name) && (name === 'Keys' || name === 'Values')) {
    return collectionOf(bare, given[name === 'Keys' ? 0 : 1]);
  }
  const [isTuple, fields = ''] = /^(?:tuple|(?:Value)?Tuple)(?:\{(.*)\})?$/.exec(bare.name) ?? [];
  if (isTuple !== undefined) return given[positionIn(fields.split(' '), name)];
  if (!Object.hasOwn(held, name)) return undefined;
  const found = held[name]!.find(([types]) => types.split(' ').includes(bare.name));
  return found === undefined ? undefined : given.at(found[1]);
}

/** The element of a tuple that its type calls so, or that its position does. */
function positionIn(fields: readonly string[], name: string): number {
  const item = /^Item([1-7])$/.exec(name)?.[1];
  return item === undefined ? fields.indexOf(name) : Number(item) - 1;
}

/** What such a method gives by its parameter at a position, where that is of one of the type's arguments. */
export function dotnetTaken(value: Value, method: string, position: number): Value | undefined {
  const type = dotnetType(value);
  if (type === undefined) return undefined;
  const { bare, arguments: given } = type;
  if (method === 'Add') return given[position];
  if (maps.has(bare.name)) return position === 1 && /^Try(?:GetValue|Remove)$/.test(method) ? given[1] : undefined;
  if (bare.name === 'KeyValuePair') return method === 'Deconstruct' ? given[position] : undefined;
  return position === 0 && /^(?:Try(?:Peek|Pop|Dequeue|Take|GetTarget)|Enqueue|Push)$/.test(method)
    ? given[0]
    : undefined;
}

/** Whether a value is of .NET's own library. */
export function isOfDotnet(value: Value): boolean {
  const bare = bareType(value);
  return bare?.kind === 'external' && bare.package === 'dotnet';
}

function dotnetType(value: Value): DotnetType | undefined {
  const type = value.kind === 'instance' ? value.of : undefined;
  const bare = type?.kind === 'applied' ? type.of : undefined;
  if (type?.kind !== 'applied' || bare?.kind !== 'external') return undefined;
  if (bare.package !== 'dotnet' && bare.manager !== 'nuget') return undefined;
  const name = bare.name.slice(bare.name.lastIndexOf('.') + 1);
  return { bare: { ...bare, name }, arguments: type.arguments };
}

function collectionOf(like: DotnetType['bare'], element: Value | undefined): Value | undefined {
  if (element === undefined) return undefined;
  const of = { ...like, name: 'ICollection' };
  return { kind: 'instance', of: { kind: 'applied', of, arguments: [element] } };
}
