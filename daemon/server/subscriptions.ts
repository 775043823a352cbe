import type { DaemonEvent } from '../../client/protocol/caller.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { Params } from './rpc-message.ts';

/** The event subscriptions of one connection. They end with it. */
export interface Subscriptions {
  /** `{subscription?, types?, after?}` → `{subscription}`. Throws `invalidParameter`, `rateLimited` past the limit. */
  open(params: Params): { readonly subscription: string };
  /** `{subscription}` → the same. Throws `resourceNotFound`. */
  cancel(params: Params): { readonly subscription: string };
  count(): number;
  close(): void;
}

export interface SubscriptionsOptions {
  readonly limit: number;
  readonly subscribe: (listener: (event: DaemonEvent) => void, after?: number) => () => void;
  readonly notify: (method: 'events.event', params: Params) => void;
}

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const open = new Map<string, () => void>();
  let last = 0;
  return {
    count: () => open.size,
    open(params) {
      const { types, after } = checked(params);
      const name = params['subscription'] === undefined ? `subscription-${++last}` : String(params['subscription']);
      if (open.has(name)) throw new Fault('invalidParameter', 'subscription: a subscription of this name is open');
      if (open.size >= options.limit) {
        throw new Fault('rateLimited', `At most ${options.limit} subscriptions of one connection`, {
          retryAfterSeconds: 1,
        });
      }
      open.set(name, () => {});
      const stop = options.subscribe(event => {
        if (!open.has(name) || (types !== undefined && !types.includes(event.type))) return;
        options.notify('events.event', { subscription: name, event });
      }, after);
      open.set(name, stop);
      return { subscription: name };
    },
    cancel(params) {
      const name = params['subscription'];
      const stop = typeof name === 'string' ? open.get(name) : undefined;
      if (stop === undefined) throw new Fault('resourceNotFound', 'There is no such subscription');
      open.delete(name as string);
      stop();
      return { subscription: name as string };
    },
    close() {
      for (const stop of open.values()) stop();
      open.clear();
    },
  };
}

function checked(params: Params): { types: readonly string[] | undefined; after: number | undefined } {
  const { subscription, types, after, ...rest } = params;
  const unknown = Object.keys(rest)[0];
  const problem =
    unknown !== undefined
      ? `${unknown}: there is no such field`
      : subscription !== undefined && (typeof subscription !== 'string' || !/^[\x20-\x7e]{1,128}$/.test(subscription))
        ? 'subscription: must be a text of 1 to 128 printable characters'
        : types !== undefined &&
            !(Array.isArray(types) && types.length <= 100 && types.every(type => typeof type === 'string'))
          ? 'types: must be a list of event types'
          : after !== undefined && !Number.isSafeInteger(after)
            ? 'after: must be the id of an event'
            : undefined;
  if (problem !== undefined) throw new Fault('invalidParameter', problem);
  return { types: types as readonly string[] | undefined, after: after as number | undefined };
}
