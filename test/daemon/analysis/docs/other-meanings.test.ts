import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merged } from '../../../../daemon/analysis/docs/definition-table.ts';
import { foreignNames } from '../../../../daemon/analysis/docs/foreign-names.ts';
import { mayMeanAnother, type OtherMeanings } from '../../../../daemon/analysis/docs/other-meanings.ts';
import { readDocument } from '../../../../daemon/extract/documents/read-document.ts';
import { definition, tableOf } from './table.ts';

const present = tableOf(
  [],
  'class app/client.py Client',
  'class app/base.py Base',
  'method app/base.py Base.fetch_all',
  'method app/other.py Other.drop_all',
);
const modules = new Map([
  ['app/fields.py', 'from app.types import (\n    Other,\n    SecretField as SecretField,\n)\n# It had Unheard once.'],
  ['app/line.py', 'from app.types import Worker, Engine\n'],
]);
const others: OtherMeanings = {
  present,
  isForeign: foreignNames([
    { package: 'pydantic', name: 'main.BaseModel' },
    { package: 'python', name: 'typing.get_type_hints' },
    { package: 'app', name: 'thing.Kept' },
  ]),
  textOf: path => modules.get(path) ?? '',
  ancestorsOf: ({ name }) => (name === 'Client' ? [{ name: 'Base' }] : []),
  isCode: name => name === 'inject',
};

const table: readonly (readonly [markdown: string, path: string, isAnother: boolean])[] = [
  ['`BaseModel`', 'old/compat.py', true],
  ['`pydantic.BaseModel`', 'old/pydantic/compat.py', true],
  ['```python\nfrom pydantic import BaseModel\nBaseModel()\n```', 'old/compat.py', true],
  ['```python\nfrom app.models import BaseModel\nBaseModel()\n```', 'app/models.py', false],
  ['`models.BaseModel`', 'app/models.py', false],
  ['`get_type_hints()`', 'app/hints.py', true],
  ['`get_other_hints()`', 'app/hints.py', false],
  ['`APP_SERVER_PORT`', 'app/settings.py', true],
  ['`settings.APP_SERVER_PORT`', 'app/settings.py', false],
  ['`gcs`', 'app/stores.py', true],
  ['`gcs()`', 'app/stores.py', false],
  ['`inject`', 'app/stores.py', false],
  ['`Scheduler`', 'app/stores.py', false],
  ['`SecretField`', 'app/fields.py', true],
  ['`Unheard`', 'app/fields.py', false],
  ['`Engine`', 'app/line.py', true],
  ['`Eng`', 'app/line.py', false],
  ['`Client.fetch_all()`', 'app/client.py', true],
  ['`Client.drop_all()`', 'app/client.py', false],
  ['<!-- svc:symbol BaseModel -->', 'app/models.py', false],
];

for (const [markdown, path, isAnother] of table) {
  test(`${JSON.stringify(markdown)}, once of ${path}, ${isAnother ? 'may be another' : 'is gone'}`, () => {
    const mention = readDocument(markdown).mentions.at(-1)!;
    const was = { ...definition(`class ${path} ${mention.names.at(-1)!}`, 1), replacedBy: undefined, goneAt: 1 };
    assert.equal(mayMeanAnother(mention, was, others), isAnother);
  });
}

test('what holds the types of a thing is not what its name means', () => {
  const both = tableOf([], 'namespace src/c.ts Client.query', 'method src/c.ts Client.query');
  assert.deepEqual(
    merged(both.named('query')).map(({ kind }) => kind),
    ['method'],
  );
});
