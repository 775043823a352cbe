/** Messages of one connection that have arrived and wait for their turn, in order. */
export interface Inbox {
  add(message: Buffer): void;
  readonly length: number;
  clear(): void;
}

/**
 * Work of all connections, so much of it in one turn of the event loop, each in its turn: who sends much, or comes often, keeps
 * nobody else waiting, and quick answers leave before their neighbours are read.
 */
export interface Turns {
  /** Runs `step` as soon as it is its turn, at once if it may, and again after the others for as long as it says that there is more. */
  enter(step: () => boolean): void;
}

export function createTurns(perTurn: number): Turns {
  const waiting: (() => boolean)[] = [];
  let left = perTurn;
  let isTurnAwaited = false;

  const run = (): void => {
    while (left > 0 && waiting.length > 0) {
      left--;
      const step = waiting.shift()!;
      if (step()) waiting.push(step);
    }
    if (isTurnAwaited || left === perTurn) return;
    isTurnAwaited = true;
    setImmediate(() => {
      isTurnAwaited = false;
      left = perTurn;
      run();
    });
  };
  return {
    enter(step) {
      waiting.push(step);
      run();
    },
  };
}

/** Hands messages on, one in each turn that its connection has. */
export function createInbox(turns: Turns, take: (message: Buffer) => void): Inbox {
  let messages: Buffer[] = [];
  let isWaiting = false;

  const handOne = (): boolean => {
    const message = messages.shift();
    if (message !== undefined) take(message);
    isWaiting = messages.length > 0;
    return isWaiting;
  };
  return {
    add(message) {
      messages.push(message);
      if (isWaiting) return;
      isWaiting = true;
      turns.enter(handOne);
    },
    get length() {
      return messages.length;
    },
    clear() {
      messages = [];
    },
  };
}
