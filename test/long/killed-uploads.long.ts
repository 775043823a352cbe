import { test } from 'node:test';
import { killedInFirstUpload, killedInUpload } from '../fault/killed-uploads.ts';

const places = ['before-rename:', 'after-rename:', 'before-commit:daemon.db', 'after-commit:daemon.db'];

test('a daemon killed while it takes in an upload leaves the old index or the new one, and nothing else', context =>
  killedInUpload(context, places));

test('a daemon killed while it takes in the first upload of a repository leaves it whole or not at all', context =>
  killedInFirstUpload(context, places));
