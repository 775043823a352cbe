import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merged } from '../../../../daemon/analysis/docs/definition-table.ts';
import { foreignNames } from '../../../../daemon/analysis/docs/foreign-names.ts';
import { mayMeanAnother, type OtherMeanings } from '../../../../daemon/analysis/docs/other-meanings.ts';
import { pythonModule } from '../../../../daemon/analysis/docs/python-modules.ts';
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
  ['app/line.py', 'from app.types import Worker, Engine  # noqa\nimport app.deep.Pump\n'],
  ['app/private.py', 'from app.types import (\n    Hidden as _Hidden,  # (private)\n    Other as Shown,\n)\n'],
  ['app/star.py', 'from app.types import *\n'],
  ['app/open.py', 'class Own:\n    pass\n\n\ndef __getattr__(name: str):\n    return lookup(name)\n'],
  ['app/migrated.py', 'from app._migration import getattr_migration\n__getattr__ = getattr_migration(__name__)\n'],
  ['app/object.py', 'class Own:\n    def __getattr__(self, name):\n        return name\n'],
  [
    'closed/__init__.py',
    "def __getattr__(name: str):\n    if name == 'Told':\n        # Of name alone.\n        return New\n\n    raise AttributeError(f'no {name}')\n",
  ],
  [
    'lazy/__init__.py',
    '_dynamic = {"Lazy": ("lazy_core", ".main")}\n\n\ndef __getattr__(name):\n    return _dynamic[name]\n',
  ],
]);
const others: OtherMeanings = {
  present,
  isForeign: foreignNames([
    { package: 'pydantic', name: 'main.BaseModel' },
    { package: 'python', name: 'typing.get_type_hints' },
    { package: 'app', name: 'thing.Kept' },
  ]),
  moduleAt: path => pythonModule(modules.get(path) ?? ''),
  ancestorsOf: ({ name }) => (name === 'Client' ? [{ name: 'Base', path: 'app/base.py', containers: [] }] : []),
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
  ['`Pump`', 'app/line.py', false],
  ['`Hidden`', 'app/private.py', false],
  ['`private.Hidden`', 'app/private.py', false],
  ['`Shown`', 'app/private.py', true],
  ['`Starred`', 'app/star.py', true],
  ['`Looked`', 'app/open.py', true],
  ['`app.open.Looked`', 'app/open.py', true],
  ['`app.migrated.Looked`', 'app/migrated.py', true],
  ['`app.object.Looked`', 'app/object.py', false],
  ['`lazy.Lazy`', 'lazy/_deep/main.py', true],
  ['`lazy.main.Lazy`', 'lazy/main.py', false],
  ['`Lazy`', 'lazy/main.py', true],
  ['`Lost`', 'lazy/main.py', false],
  ['`closed.Told`', 'closed/main.py', true],
  ['`closed.Lost`', 'closed/main.py', false],
  ['`closed.Lost`', 'closed/__init__.py', false],
  ['`lazy.Lost`', 'lazy/main.py', true],
  ['`Client.fetch_all()`', 'app/client.py', true],
  ['`Client.drop_all()`', 'app/client.py', false],
  ['`client.drop_all()`', 'app/client.py', true],
  ['`client.lose_all()`', 'app/client.py', false],
  ['<!-- svc:symbol BaseModel -->', 'app/models.py', false],
];

for (const [markdown, path, isAnother] of table) {
  test(`${JSON.stringify(markdown)}, once of ${path}, ${isAnother ? 'may be another' : 'is gone'}`, () => {
    const mention = readDocument(markdown).mentions.at(-1)!;
    const was = { ...definition(`class ${path} ${mention.names.at(-1)!}`, 1), replacedBy: undefined, goneAt: 1 };
    assert.equal(mayMeanAnother(mention, was, { reason: 'symbol_deleted' }, others), isAnother);
  });
}

test('a member is handed on with its type, unless that is there still', () => {
  const { mentions } = readDocument('`app.open.Own.gone()` and `app.open.Other.gone()`');
  const there = { ...others, present: tableOf([], 'class app/open.py Own') };
  const isAnother = mentions.map(mention => {
    const was = definition(`method app/open.py ${mention.names.slice(2).join('.')}`, 1);
    return mayMeanAnother(mention, { ...was, replacedBy: undefined, goneAt: 1 }, { reason: 'symbol_deleted' }, there);
  });
  assert.deepEqual(isAnother, [false, true]);
});

test('what was renamed means nothing else, unless its module is asked for the old name', () => {
  const { mentions } = readDocument('`lazy.Lazy`, `lazy.Other`, `app.line.Worker` and `app.open.Looked`');
  const paths = ['lazy/__init__.py', 'lazy/__init__.py', 'app/line.py', 'app/open.py'];
  const isAnother = mentions.map((mention, at) => {
    const was = { ...definition(`class ${paths[at]} ${mention.names.at(-1)}`, 1), replacedBy: 'x', goneAt: 1 };
    return mayMeanAnother(mention, was, { reason: 'symbol_renamed' }, others);
  });
  assert.deepEqual(isAnother, [true, false, false, false]);
});

test('what holds the types of a thing is not what its name means', () => {
  const both = tableOf([], 'namespace src/c.ts Client.query', 'method src/c.ts Client.query');
  assert.deepEqual(
    merged(both.named('query')).map(({ kind }) => kind),
    ['method'],
  );
});
