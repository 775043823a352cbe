import type { Value } from '../values.ts';

/**
 * What the containers of Rust's library, and those that other crates make alike, do to the types that they hold. Names
 * are a type's last one; arguments are values of the types.
 */
export interface RustType {
  readonly name: string;
  readonly arguments: readonly (Value | undefined)[];
}

const sequences = words(
  `Vec VecDeque [] HashSet BTreeSet IndexSet BinaryHeap LinkedList SmallVec ArrayVec Iterator IntoIterator Iter IterMut
  IntoIter Peekable Rev Chain DoubleEndedIterator ExactSizeIterator Drain Receiver ParallelIterator`,
);
const maps = words('HashMap BTreeMap IndexMap DashMap');
const holders = words('Option Result Poll ControlFlow');
/** A value of such a type has the members of its first argument. */
const transparent = words(
  `Box Rc Arc Cow Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Pin ManuallyDrop LazyLock Lazy Weak
  CachePadded NonNull`,
);
const cells = words('RefCell Mutex RwLock Cell OnceCell OnceLock UnsafeCell AtomicCell');

const unwraps = words(
  'unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked insert get_or_insert_with',
);
const keeps = words(
  `as_ref as_mut as_deref as_deref_mut cloned copied take or or_else filter map_err context with_context inspect
  inspect_err replace iter iter_mut into_iter drain rev skip step_by chain peekable by_ref as_slice as_mut_slice to_vec
  into_boxed_slice clone to_owned skip_while take_while collect fuse cycle borrow borrow_mut par_iter sorted into_sorted_vec`,
);
const gives = words(
  `first last first_mut last_mut get get_mut pop pop_front pop_back next next_back nth find min max min_by_key max_by_key
  min_by max_by peek peek_mut front back front_mut back_mut reduce rfind`,
);
const takesOne = words(
  `map for_each filter any all find position rposition flat_map filter_map max_by_key min_by_key sort_by_key
  sort_unstable_by_key take_while skip_while inspect partition find_map retain map_while and_then is_some_and is_ok_and
  dedup_by_key group_by`,
);
const takesTwo = words('sort_by sort_unstable_by max_by min_by dedup_by reduce');

export function rustElement({ name, arguments: given }: RustType): Value | undefined {
  if (sequences.has(name) || name === 'Option') return given[0];
  return maps.has(name) ? typed('tuple', given) : undefined;
}

/** What a value holds that is flattened. */
function elementIn(value: Value): Value | undefined {
  const type = value.kind === 'instance' ? value.of : undefined;
  return type?.kind === 'applied' ? type.arguments[0] : undefined;
}

export function rustThrough({ name, arguments: given }: RustType): Value | undefined {
  return transparent.has(name) ? given[0] : undefined;
}

/** What calling a method gives; `made` is what the function makes that it is given. */
export function rustResult(
  receiver: Value,
  type: RustType,
  method: string,
  made: Value | undefined,
): Value | undefined {
  const { name, arguments: given } = type;
  const [first, second] = given;
  if (method === 'map' && holders.has(name)) return typed(name, [made, second]);
  if (method === 'map' && sequences.has(name)) return typed('Iterator', [made]);
  if (method === 'and_then' || method === 'map_or_else') return made;
  if (method === 'filter_map' || method === 'flat_map') return typed('Iterator', [made && elementIn(made)]);
  if (holders.has(name)) {
    if (unwraps.has(method)) return first;
    if (method === 'unwrap_err' || method === 'expect_err') return second;
    if (method === 'ok') return typed('Option', [first]);
    if (method === 'err') return typed('Option', [second]);
    if (method === 'ok_or' || method === 'ok_or_else') return typed('Result', [first]);
  }
  if (maps.has(name)) return resultOfMap(receiver, type, method);
  if (cells.has(name)) {
    if (method === 'lock' || method === 'read' || method === 'write') return typed('Result', [first]);
    return method === 'get' && name.startsWith('Once') ? typed('Option', [first]) : first;
  }
  if (sequences.has(name)) {
    if (gives.has(method)) return typed('Option', [first]);
    if (method === 'enumerate') return typed('Iterator', [typed('tuple', [undefined, first])]);
    if (method === 'chunks' || method === 'windows') return typed('Iterator', [typed('[]', [first])]);
  }
  if (name === 'Entry') return first;
  return keeps.has(method) ? receiver : undefined;
}

function resultOfMap(receiver: Value, { arguments: [key, value] }: RustType, method: string): Value | undefined {
  switch (method) {
    case 'get':
    case 'get_mut':
    case 'remove':
    case 'insert':
      return typed('Option', [value]);
    case 'values':
    case 'values_mut':
    case 'into_values':
      return typed('Iterator', [value]);
    case 'keys':
    case 'into_keys':
      return typed('Iterator', [key]);
    case 'iter':
    case 'iter_mut':
    case 'into_iter':
    case 'drain':
      return typed('Iterator', [typed('tuple', [key, value])]);
    case 'entry':
      return typed('Entry', [value]);
    default:
      return keeps.has(method) ? receiver : undefined;
  }
}

/** What the function takes that a method is given. */
export function rustTaken({ name, arguments: given }: RustType, method: string, position: number): Value | undefined {
  const one = rustElement({ name, arguments: given }) ?? (holders.has(name) ? given[0] : undefined);
  if (method === 'map_err' || (method === 'unwrap_or_else' && name === 'Result')) return taking([given[1]]);
  if (method === 'fold' && position === 1) return taking([undefined, one]);
  if (method === 'map_or' && position === 1) return taking([one]);
  if (maps.has(name) && method === 'retain') return taking([given[0], given[1]]);
  if (takesTwo.has(method)) return taking([one, one]);
  return takesOne.has(method) ? taking([one]) : undefined;
}

function taking(given: readonly (Value | undefined)[]): Value {
  return { kind: 'applied', of: { kind: 'function', of: undefined }, arguments: given };
}

function typed(name: string, given: readonly (Value | undefined)[]): Value {
  const of: Value = { kind: 'external', manager: 'std', package: 'rust', name };
  return { kind: 'instance', of: { kind: 'applied', of, arguments: given } };
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
