/** A signal that is aborted with the first of two, until it is released. */
export interface EitherSignal {
  readonly signal: AbortSignal;
  /** Both forget it. */
  release(): void;
}

/**
 * For a signal that outlives what it is to stop: it keeps a word of each that `AbortSignal.any` made of it, in Node.js 20, as
 * long as it lives.
 */
export function eitherSignal(lasting: AbortSignal, passing?: AbortSignal): EitherSignal {
  const controller = new AbortController();
  const both = passing === undefined ? [lasting] : [lasting, passing];
  const abort = ({ target }: Event): void => controller.abort((target as AbortSignal).reason);
  for (const one of both) {
    if (one.aborted) controller.abort(one.reason);
    else one.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release: () => {
      for (const one of both) one.removeEventListener('abort', abort);
    },
  };
}
