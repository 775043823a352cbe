import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { usageViews } from '../../cli/views/usage.ts';
import type { Answer } from '../../cli/views/view.ts';
import { operations } from '../../client/protocol/registry.ts';

type Unmapped = Answer<'telemetry.unmapped'>;

const { output } = operations['telemetry.unmapped'].example as { readonly output: Unmapped };
const [example] = output.services;

test('entries of services that would match can be pasted as they are shown', () => {
  const service = (name: string, more: Partial<Unmapped['services'][number]> = {}): Unmapped['services'][number] => {
    const entry = `[telemetry.services."${name}"]\nrepo = "shop"`;
    return { ...example!, name, wouldMatch: [{ ...example!.wouldMatch[0]!, entry }], ...more };
  };
  const services = [service('pay'), service('ads-*'), service('lost', { reason: 'unregistered', mappedTo: 'gone' })];
  const { notes = [] } = usageViews['telemetry.unmapped']!({ ...output, services, functions: [] });
  assert.equal(notes[0], 'config.toml maps lost to gone, which is not registered: it would match shop');
  assert.ok(notes.every(line => !line.includes('\n')));
  assert.deepEqual(structuredClone(parse(notes.slice(2).join('\n'))), {
    telemetry: { services: { pay: { repo: 'shop' }, 'ads-*': { repo: 'shop' } } },
  });
});
