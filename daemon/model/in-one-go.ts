/** What a work of many steps comes to, for whoever has nothing else to do between them. */
export function inOneGo<Made>(steps: Generator<void, Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
