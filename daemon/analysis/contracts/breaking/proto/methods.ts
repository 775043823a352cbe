import type { ProtoSchema, SchemaMethod, SchemaOption } from '../../../../model/proto-schema.ts';
import type { ChangeSeverity, Compatibility } from '../change.ts';
import { type Comparison, everywhere, isSameType, tell } from './comparison.ts';
import { callers } from './reach.ts';
import { meantBy } from './types.ts';

/** The file that declares a service. */
export interface Holder {
  readonly path: string;
  readonly schema: ProtoSchema;
}

export function tellAddedMethod(comparison: Comparison, service: string, holder: Holder, method: SchemaMethod): void {
  tell(
    comparison,
    { callers: callers([`${service}/${method.name}`]) },
    {
      id: 'rpc-added',
      severity: 'safe',
      compatibility: [],
      subject: `${service}.${method.name}`,
      message: `the method ${method.name} was added`,
      after: { path: holder.path, schema: holder.schema, line: method.line },
    },
  );
}

interface MethodPair {
  readonly comparison: Comparison;
  /** The earlier full name. */
  readonly service: string;
  readonly was: Holder;
  readonly is: Holder;
  readonly old: SchemaMethod;
  readonly now: SchemaMethod | undefined;
}

type Say = (id: string, severity: ChangeSeverity, compatibility: readonly Compatibility[], message: string) => void;

/** Two revisions of a method: its name, what it takes and gives, where HTTP finds it. */
export function compareMethod(pair: MethodPair): void {
  const { comparison, service, was, is, old, now } = pair;
  const say: Say = (id, severity, compatibility, message) =>
    tell(
      comparison,
      { callers: callers([`${service}/${old.name}`]) },
      {
        id,
        severity,
        compatibility,
        subject: `${service}.${old.name}`,
        message,
        before: { path: was.path, schema: was.schema, line: old.line },
        after: now === undefined ? undefined : { path: is.path, schema: is.schema, line: now.line },
      },
    );
  if (now === undefined) {
    say('rpc-deleted', 'breaking', everywhere, `the method ${old.name} was deleted`);
    return;
  }
  if (old.name !== now.name) {
    const message = `the method ${old.name} is called ${now.name} now: calls go to another path`;
    say('rpc-renamed', 'breaking', everywhere, message);
  }
  compareEnds(pair, now, say);
  compareRoutes(old, now, say);
  compareMarks(old, now, say);
}

const ends = [
  { end: 'request', stream: 'streamsRequest', id: 'rpc-client-streaming-changed' },
  { end: 'response', stream: 'streamsResponse', id: 'rpc-server-streaming-changed' },
] as const;

function compareEnds({ comparison, was, is, old }: MethodPair, now: SchemaMethod, say: Say): void {
  for (const { end, stream, id } of ends) {
    const from = meantBy(comparison.before, was.schema.package, old[end]);
    const to = meantBy(comparison.after, is.schema.package, now[end]);
    if (!isSameType(comparison, from, to)) {
      const message = `the ${end} of ${old.name} changed from ${from.name} to ${to.name}`;
      say(`rpc-${end}-type-changed`, 'breaking', everywhere, message);
    }
    if (old[stream] !== now[stream])
      say(id, 'breaking', everywhere, `the ${end} of ${old.name} is ${now[stream] ? '' : 'no longer '}a stream`);
  }
}

function compareRoutes(old: SchemaMethod, now: SchemaMethod, say: Say): void {
  for (const route of old.routes.filter(one => !now.routes.includes(one)))
    say('http-route-removed', 'breaking', ['json'], `${old.name} is no longer served at ${route}`);
  for (const route of now.routes.filter(one => !old.routes.includes(one)))
    say('http-route-added', 'safe', [], `${now.name} is served at ${route} too`);
}

function compareMarks(old: SchemaMethod, now: SchemaMethod, say: Say): void {
  const [was, is] = [word(old.options, 'idempotency_level'), word(now.options, 'idempotency_level')];
  if (was !== is) {
    const message = `${old.name} was ${was || 'of unknown idempotency'} and is ${is || 'of unknown idempotency'}: callers repeat calls by it`;
    say('rpc-idempotency-level-changed', 'risky', ['wire'], message);
  }
  const isNew = word(now.options, 'deprecated') === 'true' && word(old.options, 'deprecated') !== 'true';
  if (isNew) say('rpc-deprecated', 'safe', [], `${old.name} is deprecated`);
}

function word(options: readonly SchemaOption[], name: string): string {
  const value = options.findLast(option => option.name === name)?.value;
  const text = value?.kind === 'word' ? value.text : '';
  return text === 'IDEMPOTENCY_UNKNOWN' ? '' : text;
}
