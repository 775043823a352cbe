/** What a change of a contract breaks: of protobuf the bytes, its JSON, the code made from it; of OpenAPI what is sent, what is answered. */
export type Compatibility = 'wire' | 'json' | 'source' | 'request' | 'response';

/** `risky` breaks those that use it in a certain way. */
export type ChangeSeverity = 'breaking' | 'risky' | 'safe';

/** A difference between two revisions of a contract. */
export interface ContractChange {
  /** The rule: `field-deleted`. */
  readonly id: string;
  readonly severity: ChangeSeverity;
  readonly compatibility: readonly Compatibility[];
  /** `shop.v1.Cart.items`, `GET /carts/{id} response 200 total`. */
  readonly subject: string;
  /** Of protobuf full names of services, of OpenAPI operations (`GET /carts/{id}`) and webhooks (`webhook cartLeft POST`), that reach what was changed. In order. */
  readonly services: readonly string[];
  /** Of protobuf those of their methods that do: `shop.v1.CartService/GetCart`. */
  readonly methods: readonly string[];
  /** Of protobuf, where it hits no others than those who have a type in what is sent: its full name, or '' for methods alone. Not told. */
  readonly type?: string;
  /** A sentence without a full stop. */
  readonly message: string;
  readonly before?: ChangePlace;
  readonly after?: ChangePlace;
}

export interface ChangePlace {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The line, without blanks around it, at most 200 characters. */
  readonly text: string;
}

/** Further ones of a severity are left out: nobody reads them. */
export const mostChanges = 10_000;

export function placeOf(path: string, lines: readonly string[], line: number): ChangePlace {
  return { path, line, text: (lines[line - 1] ?? '').trim().slice(0, 200) };
}

const severities: readonly ChangeSeverity[] = ['breaking', 'risky', 'safe'];

/** Breaking ones first, then by place, rule and subject: in the same order whatever led to them, each once. */
export function inOrder(changes: readonly ContractChange[]): readonly ContractChange[] {
  const keyed = changes.map(change => ({ change, key: keyOf(change) }));
  keyed.sort((a, b) => compare(a.key, b.key));
  return keyed
    .filter(({ key }, at) => at === 0 || compare(key, keyed[at - 1]!.key) !== 0)
    .slice(0, mostChanges)
    .map(({ change }) => change);
}

type Key = readonly (string | number)[];

function keyOf({ severity, before, after, id, subject, message }: ContractChange): Key {
  const place = after ?? before;
  return [severities.indexOf(severity), place?.path ?? '', place?.line ?? 0, before?.line ?? 0, id, subject, message];
}

function compare(a: Key, b: Key): number {
  for (const [at, part] of a.entries()) {
    const other = b[at]!;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}
