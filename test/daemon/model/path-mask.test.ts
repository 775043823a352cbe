import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathMask } from '../../../daemon/model/path-mask.ts';
import { everythingExposed } from '../../../daemon/model/privacy.ts';

const paths = [
  'setup.py',
  'src/flask/__init__.py',
  'src/flask/json/__init__.py',
  'src/flask/json/provider.py',
  'web/src/Card/index.ts',
  'web/src/app.test.ts',
  'web/pages/[id]/page.tsx',
  'main/java/org/acme/Shop.java',
];
const hidden = pathMask(() => paths, { ...everythingExposed, exposePaths: false });

test('paths and dotted names of modules in a text are cut to what is shown of a path', () => {
  const cases: readonly (readonly [text: string, masked: string])[] = [
    ['(module) src.flask.json.provider', '(module) provider'],
    ['src.flask.json.provider.Provider.dumps(x)', 'provider.Provider.dumps(x)'],
    ['from flask.json.provider import X', 'from provider import X'],
    ['see src/flask/json/provider.py:12 and ./src/flask/json', 'see provider.py:12 and __init__'],
    ['/home/me/web/src/app.test.ts', 'app.test.ts'],
    ['web\\src\\app', 'app'],
    ['an instance of :meth:`~flask.json.provider.X`', 'an instance of :meth:`~provider.X`'],
    ['import { Card } from "web/src/Card"', 'import { Card } from "index"'],
    ['web/pages/[id]/page.tsx', 'page.tsx'],
    ['all below main/java/org', 'all below …'],
    ['org.acme.Shop in org.acme', 'Shop in org.acme'],
    // What says nothing of where files are.
    ['setup.py, this.json, a.b.c and/or 1.5 e.g. flask', 'setup.py, this.json, a.b.c and/or 1.5 e.g. flask'],
    ['', ''],
  ];
  for (const [text, masked] of cases) assert.equal(hidden.text(text), masked, text);
});

test('what stands for a file is called as its base name, and nothing else is', () => {
  const name = (name: string, path: string, kind: 'module' | 'namespace' | 'class' = 'module') =>
    hidden.name({ name, kind, path });
  assert.equal(name('src.flask.json', 'src/flask/json/__init__.py'), '__init__.py');
  assert.equal(name('flask', 'src/flask/__init__.py'), '__init__.py');
  assert.equal(name('src.flask.json.provider', 'src/flask/json/provider.py'), 'provider.py');
  assert.equal(name('org.acme', 'main/java/org/acme/Shop.java', 'namespace'), 'org.acme');
  assert.equal(name('Card', 'web/src/Card/index.ts', 'class'), 'Card');
  assert.equal(name('setup', 'setup.py'), 'setup');
});

test('a beginning that paths are shown without is left out of texts too', () => {
  const mask = (pathPrefixStrip: string) => pathMask(() => paths, { ...everythingExposed, pathPrefixStrip });
  const two = mask('clients/acme/').text;
  assert.equal(two('clients/acme/shop.ts, (module) clients.acme.shop'), 'shop.ts, (module) shop');
  assert.equal(two('all of clients/acme.'), 'all of .');
  assert.equal(two('clients/acmex and clients'), 'clients/acmex and clients');
  const one = mask('src/').text;
  assert.equal(one('src/flask.py and src.flask, in src. Then'), 'flask.py and flask, in src. Then');
  assert.equal(mask('').text('src/flask.py'), 'src/flask.py');
});

test('a mask takes a long text in one go', () => {
  const long = `${'a'.repeat(200_000)} ${'./'.repeat(100_000)} ${'a.'.repeat(100_000)}`;
  assert.equal(hidden.text(long), long);
});
