import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract } from '../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../daemon/model/document.ts';

interface Case {
  readonly dialect: string;
  readonly source: string;
  /** `line:column name specifier` of imports, and `line:column name` of what is defined at the top; from 1 and 0. */
  readonly found: readonly string[];
}

const cases: readonly Case[] = [
  {
    dialect: 'vue',
    source: `<template>
  <Foo v-if="a > b" @click="save" />
</template>
<!-- <script>import gone from 'gone'</script> -->
<script lang="ts">
export interface Given { a: 1 }
</script>
<script setup lang="ts" generic="T extends Record<string, unknown>">
import Foo from './Foo.vue'
const save = () => 1
</script>
<style>a > b { }</style>
`,
    found: ['6:0 default', '6:17 Given', '9:7 Foo ./Foo.vue', '10:6 save'],
  },
  {
    dialect: 'vue',
    source: `<script>\nexport default { data: () => ({}) }\n</script>\n<template><a :b="c"/></template>\n`,
    found: ['2:7 default'],
  },
  {
    dialect: 'vue',
    source: `<template><b/></template>\n<script lang='tsx' src="./b.ts"></script>\n`,
    found: ['2: ./b.ts'],
  },
  {
    dialect: 'vue',
    source: `<script lang="tsx">\nexport default () => <div>{one}</div>;\n</script>\n`,
    found: ['2:7 default'],
  },
  { dialect: 'vue', source: `<template><b/></template>\n`, found: ['1:0 default'] },
  {
    dialect: 'svelte',
    source: `<script module>\n  import { a } from './a'\n</script>\n<script>\n  export let b = a;\n</script>\n{#if b}<p/>{/if}\n`,
    found: ['2:2 default', '2:11 a ./a', '5:13 b'],
  },
  {
    dialect: 'astro',
    source: `---\nimport L from '../l.astro';\nif (!L) return;\n---\n<L>{a}</L>\n<script>\n  import { go } from '../go';\n</script>\n`,
    found: ['2:0 default', '2:7 L ../l.astro', '7:11 go ../go'],
  },
  {
    dialect: 'mdx',
    source: `import { A,\n  B } from '../x'\nimport './y.css'\n\n# import things from 'nowhere'\n\n\`\`\`js\nimport c from 'c'\n\`\`\`\n\n<A/>\n`,
    found: ['1:9 A ../x', '2:2 B ../x', '3: ./y.css'],
  },
];

for (const { dialect, source, found } of cases) {
  test(`code in a file of ${dialect}: ${source.slice(0, 40).replaceAll('\n', ' ')}`, async () => {
    const facts = await extract(new TextEncoder().encode(source), dialect as Dialect, { parseSteps: 1_000 });
    assert.deepEqual([facts.language, facts.parseErrors], ['typescript', 0]);
    const bound = new Map(facts.references.flatMap(one => (one.kind === 'import' ? [[one.name, one]] : [])));
    const imports = facts.imports.map(({ local, specifier, line }) => {
      const at = bound.get(local);
      return at === undefined ? `${line + 1}: ${specifier}` : `${at.line + 1}:${at.column} ${local} ${specifier}`;
    });
    const defined = facts.definitions.flatMap(({ container, name, nameRange }) =>
      container >= 0 ? [] : [`${nameRange.startLine + 1}:${nameRange.startColumn} ${name}`],
    );
    const isPlain = dialect === 'vue' && source.includes('src=');
    const order = (one: string): number =>
      Number.parseFloat(one.replace(/:(\d*).*/, (_, column) => `.${column.padStart(3, '0')}`));
    const all = [...imports, ...(isPlain ? [] : defined)].sort((a, b) => order(a) - order(b));
    assert.deepEqual(all, found);
  });
}
