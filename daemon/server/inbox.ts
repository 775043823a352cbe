/** Messages that have arrived and wait for their turn, in order. */
export interface Inbox {
  add(message: Buffer): void;
  readonly length: number;
  clear(): void;
}

/**
 * Hands on at most `perTurn` messages in one turn of the event loop, so that other connections get theirs, and quick answers
 * leave before their neighbours are read.
 */
export function createInbox(perTurn: number, take: (message: Buffer) => void): Inbox {
  let waiting: Buffer[] = [];
  let left = perTurn;
  let isTurnAwaited = false;

  const takeTurn = (): void => {
    while (waiting.length > 0 && left > 0) {
      left--;
      take(waiting.shift()!);
    }
    if (isTurnAwaited) return;
    isTurnAwaited = true;
    setImmediate(() => {
      isTurnAwaited = false;
      left = perTurn;
      if (waiting.length > 0) takeTurn();
    });
  };
  return {
    add(message) {
      waiting.push(message);
      takeTurn();
    },
    get length() {
      return waiting.length;
    },
    clear() {
      waiting = [];
    },
  };
}
