import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { openInFlightNote, takeInFlight } from '../../../daemon/jobs/in-flight.ts';
import { temporaryFolder } from '../../support/repository.ts';

test('what stands in the place of the note or of its folder gives way to it', t => {
  const { path } = temporaryFolder(t);
  const folder = path('in-flight');
  const input = { repo: 'app', path: 'a.ts', hash: 'h' };
  const obstacles: Readonly<Record<string, () => void>> = {
    nothing: () => {},
    'a file as the folder': () => writeFileSync(folder, 'x'),
    'a link to nowhere as the folder': () => symlinkSync(path('nowhere'), folder),
    'a folder as the note': () => mkdirSync(path('in-flight/in-flight/x'), { recursive: true }),
    'a link as the note': () => {
      mkdirSync(folder);
      symlinkSync(path('elsewhere'), path('in-flight/in-flight'));
    },
  };
  for (const [what, put] of Object.entries(obstacles)) {
    rmSync(folder, { recursive: true, force: true });
    put();
    assert.deepEqual(takeInFlight(folder), [], what);
    openInFlightNote(folder).begin(0, [input]);
    assert.deepEqual(takeInFlight(folder), [input], what);
  }
});
