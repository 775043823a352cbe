import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysedTree } from './analysed-tree.ts';
import { testClaims } from './claims-in-trees.ts';

testClaims([
  {
    what: 'of C# what extends a type of somebody else’s may be found by that, with all that it alone uses; not what extends what nobody looks for',
    tree: `
-- Web.csproj --
<Project Sdk="Microsoft.NET.Sdk.Web"></Project>
-- Program.cs --
var app = WebApplication.CreateBuilder(args).Build();
app.MapControllers();
-- Home.cs --
namespace Web;
public abstract class Base : Microsoft.AspNetCore.Mvc.Controller { }
public class HomeController : Base { public object Index(string text) => text.Shout(new Dto()); }
-- Parts.cs --
namespace Web;
public class Dto { }
public static class Shouting { public static object Shout(this string text, Dto with) => with; }
public static class Walking { public static object GetEnumerator(this Dto dto) => null; }
public class Lost : System.IDisposable { public void Dispose() { } }
public class LostException : System.Exception { }
`,
    sure: ['Lost 0.85', 'LostException 0.85'],
    unsure: ['Base 0.6', 'Dto 0.6', 'HomeController 0.6', 'Shouting 0.6', 'Walking 0.6'],
  },
  {
    what: 'pages with C# in them name types, and extensions by their methods',
    tree: `
-- Web.csproj --
<Project Sdk="Microsoft.NET.Sdk.Web"></Project>
-- Program.cs --
var app = WebApplication.CreateBuilder(args).Build();
-- Pages/Index.cshtml --
@page
@model Shop.Models.Order
<p>@Url.LinkTo("x") <Badge Of="1" /></p> @* Gone *@
@await Component.InvokeAsync("Cart")
-- Pages/Index.cshtml.cs --
namespace Shop.Pages;
public class IndexModel { }
-- Models/Order.cs --
namespace Shop.Models;
public class Order { }
-- Parts/CartViewComponent.cs --
namespace Shop.Parts;
public class CartViewComponent { }
-- Parts/All.cs --
namespace Shop.Parts;
public class Badge { }
public class Gone { }
public static class Links { public static string LinkTo(this Helper helper, string to) => to; }
`,
    sure: ['Gone 0.85'],
    unsure: ['Badge 0.6', 'Links 0.6'],
  },
  {
    what: 'settings, descriptors, pages and texts of the JVM name classes',
    tree: `
-- pom.xml --
<project><groupId>g</groupId><artifactId>app</artifactId></project>
-- src/main/java/com/example/demo/App.java --
package com.example.demo;
public class App { public static void main(String[] args) throws Exception { Class.forName("com.example.demo.ByText"); } }
-- src/main/java/com/example/demo/ByText.java --
package com.example.demo;
public class ByText { }
-- src/main/java/com/example/demo/ByXml.java --
package com.example.demo;
public class ByXml { }
-- src/main/java/com/example/demo/ByProperty.java --
package com.example.demo;
public class ByProperty { }
-- src/main/java/com/example/demo/ByPage.java --
package com.example.demo;
public class ByPage { }
-- src/main/java/com/example/demo/ByServerPage.java --
package com.example.demo;
public class ByServerPage { }
-- src/main/java/com/example/demo/Lost.java --
package com.example.demo;
public class Lost implements Comparable<Lost> { }
-- src/main/java/com/example/demo/Filtering.java --
package com.example.demo;
public class Filtering implements javax.servlet.Filter { }
-- src/main/resources/beans.xml --
<beans><bean id="x" class="com.example.demo.ByXml"/></beans>
-- src/main/resources/application.properties --
driver=com.example.demo.ByProperty
-- src/main/resources/templates/a.html --
<p th:text="\${T(com.example.demo.ByPage).up('a')}"></p>
-- src/main/webapp/a.jsp --
<%@ page import="com.example.demo.ByServerPage" %>
`,
    sure: ['Lost 0.85'],
    unsure: ['Filtering 0.6'],
  },
  {
    what: 'classes of PHP are named in texts',
    tree: `
-- composer.json --
{ "name": "a/b", "type": "project", "autoload": { "psr-4": { "App\\\\": "src/" } } }
-- public/index.php --
<?php
$class = 'App\\\\Dynamic'; new $class;
route('App\\Handler@run');
-- src/Dynamic.php --
<?php
namespace App;
class Dynamic {}
-- src/Handler.php --
<?php
namespace App;
class Handler {}
-- src/Lost.php --
<?php
namespace App;
class Lost implements \\JsonSerializable {}
-- src/Reader.php --
<?php
namespace App;
class Reader extends \\Vendor\\Command {}
`,
    sure: ['Lost 0.8'],
    unsure: ['Reader 0.6'],
  },
  {
    what: 'components import code, and their templates take what they want of it; tests take what they load by a pattern',
    tree: `
-- package.json --
{ "name": "app", "private": true, "dependencies": { "vue": "3" } }
-- src/main.ts --
import App from './App.vue';
App.mount();
-- src/App.vue --
<template><p @click="save">{{ shown }}</p></template>
<script setup lang="ts">
import { shown } from './shown';
import { put } from './api';
const save = () => put();
export const own = 1;
</script>
-- src/Old.vue --
<script setup lang="ts">
import { old } from './old';
old();
</script>
-- src/shown.ts --
export const shown = 1;
export const lost = 2;
-- src/api.ts --
export const put = () => 1;
-- src/old.ts --
export const old = () => 1;
-- docs/a.mdx --
import { story } from '../src/story'

# A
-- src/story.ts --
export const story = 1;
-- test/makers/index.ts --
import.meta.glob('./*Maker.ts', { eager: true });
-- test/makers/aMaker.ts --
export default () => 1;
`,
    sure: ['lost 0.95', 'old 0.85', 'story 0.85'],
    unsure: [],
  },
  {
    what: 'tools load what their settings name, however these are written, and frameworks what lies where they look',
    tree: `
-- package.json --
{ "name": "app", "private": true, "main": "src/index.ts", "prisma": { "seed": "tsx prisma/seed.ts" },
  "scripts": { "mail": "email dev --dir mails", "preview": "react-router dev --config preview/vite.config.ts" },
  "dependencies": { "react-email": "1", "@react-router/dev": "7", "knex": "1" } }
-- src/index.ts --
export const load = (name: string) => import(\`./locales/\${name}.ts\`);
new Worker(path.join(__dirname, 'work.ts'));
-- src/locales/en.ts --
import { word } from '../../lib/word';
export default word;
-- lib/word.ts --
export const word = 1;
export const lost = 2;
-- src/work.ts --
export const work = 1;
-- prisma/seed.ts --
export const seed = 1;
-- wrangler.toml --
main = "cloud/worker.ts"
-- cloud/worker.ts --
export default {};
-- serverless.yml --
functions:
  one:
    handler: cloud/hello.run
-- cloud/hello.ts --
export const run = 1;
-- jest.config.js --
module.exports = { transform: { '^.+$': './tools/transform.ts' } };
-- tools/transform.ts --
export const process = 1;
-- knexfile.ts --
export default {};
-- db/migrations/1_first.ts --
export const up = 1;
-- mails/welcome.tsx --
export default () => 1;
-- preview/vite.config.ts --
export default {};
-- preview/app/routes.ts --
import { route } from '@react-router/dev/routes';
export default [route('x', './screens/x.tsx')];
-- preview/app/screens/x.tsx --
export default () => 1;
-- left/over.ts --
export const over = 1;
`,
    sure: ['lost 0.95', 'over 0.85'],
    unsure: [],
  },
  {
    what: 'what is below `app/` is an address where routes are, and what compilers tell each other is no export',
    tree: `
-- package.json --
{ "name": "app", "private": true, "dependencies": { "next": "1" } }
-- app/api/jobs/[id]/test/route.ts --
import { run } from '../../../../../run.js';
export const POST = () => run();
-- run.js --
exports.__esModule = true;
exports.run = () => 1;
exports.stop = () => 2;
`,
    sure: ['stop 0.9'],
    unsure: [],
  },
]);

test('an answer names all files that reaching begins at, and symbols of a file by their lines', async t => {
  const of = await analysedTree(
    t,
    `
    -- go.mod --
    module example.com/app
    -- main.go --
    package main
    func main() {}
    func (t *Type) Method() {}
    type Type struct{}
    -- internal/a/a.go --
    package a
    func Later() {}
    type Soon struct{}
    -- vite.config.ts --
    export default { build: { rollupOptions: { input: './page/start.ts' } } };
    -- page/start.ts --
    export const start = 1;
    `,
  );
  const { entrypoints, unwiredModules } = of.ask('analysis.unwired', {
    ...{ minConfidence: 0, limit: 100, includeTypes: false, sync: false },
  })!;
  assert.deepEqual(entrypoints, ['main.go', 'page/start.ts', 'vite.config.ts']);
  const lines = unwiredModules.flatMap(({ path, symbols }) =>
    symbols.map(({ line, name }) => `${path}:${line} ${name}`),
  );
  assert.deepEqual(lines, [':4 Type', 'internal/a:2 Later', 'internal/a:3 Soon']);
});
