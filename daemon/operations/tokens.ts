import type { Handlers } from './handler.ts';

export type TokensHandlers = Pick<Handlers, Extract<keyof Handlers, `token.${string}`>>;

export function tokensHandlers(): TokensHandlers {
  const later = () => {
    throw new Error('to come');
  };
  return { 'token.create': later, 'token.list': later, 'token.revoke': later, 'token.rotate': later };
}
