import type { Promised, TestAt } from './promised.ts';

/** How a promise fared, and when: `green, 3 of 3 breaks seen`. */
export interface Outcome {
  readonly result: string;
  /** `2026-11-30`. */
  readonly date: string;
}

const head = `# Promises

What \`svc\` promises, the tests that hold it to that, and whether each of them fails where the promise is broken on purpose.
Written by \`npm run promises\`, which runs the tests, breaks the product in a copy of it, one change after the other, and sees
the tests fail; the changes are listed beside the promises in \`test/promises/\`. T1 is \`npm test\`, T2 \`npm run test:long\`, T3
\`npm run soak\`.

| P | Promise | Tests | Broken on purpose, each seen red | Result | Date |
| --- | --- | --- | --- | --- | --- |
`;

export function tableOf(promises: readonly Promised[], outcomes: ReadonlyMap<number, Outcome>): string {
  const rows = promises.map(({ number, says, tests, breaks }) => {
    const { result, date } = outcomes.get(number) ?? { result: 'not run', date: '' };
    const cells = [`${number}`, says, tests.map(linkOf).join('<br>'), breaks.map(({ how }) => how).join('<br>')];
    return `| ${[...cells, result, date].map(cellOf).join(' | ')} |\n`;
  });
  return head + rows.join('');
}

/** What an earlier run wrote into the table's last columns. */
export function outcomesIn(table: string): ReadonlyMap<number, Outcome> {
  const rows = table.split('\n').flatMap(line => {
    const [, number, , , , result, date] = line.split(/(?<!\\)\|/).map(cell => cell.trim());
    return /^\d+$/.test(number ?? '') && result !== undefined && date !== undefined && date !== ''
      ? [[Number(number), { result, date }] as const]
      : [];
  });
  return new Map(rows);
}

/** Which run has a test: by its file's name. */
export function placeOf({ file }: TestAt): 'T1' | 'T2' | 'T3' {
  if (file.startsWith('bench/')) return 'T3';
  return file.endsWith('.long.ts') ? 'T2' : 'T1';
}

function linkOf(test: TestAt): string {
  const title = test.title === undefined ? '' : `: ${test.title}`;
  return `${placeOf(test)} [${test.file}](${test.file})${title}`;
}

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
