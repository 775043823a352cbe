import { Option, type Command as Program } from 'commander';
import { parseValue } from '../commands.ts';
import type { GlobalFlags } from '../program.ts';

/** What `svc docs check` holds documents against. */
export interface CheckAsked {
  readonly path: string | undefined;
  /** Per cent of public symbols that documents must mention. */
  readonly failUnder: number | undefined;
  readonly failsOnStale: boolean;
  readonly exportedOnly: boolean;
  readonly format: 'table' | 'json' | 'github' | 'sarif';
  readonly repo: string | undefined;
}

/** What `svc docs fix` is to mend. */
export interface FixAsked {
  readonly path: string | undefined;
  readonly apply: boolean;
  readonly repo: string | undefined;
}

export interface DocsCommands {
  docsCheck(asked: CheckAsked, flags: GlobalFlags): Promise<void>;
  docsFix(asked: FixAsked, flags: GlobalFlags): Promise<void>;
}

type Add = (parent: Program, usage: string, summary: string, examples: readonly string[]) => Program;

const repoText = 'the repository asked about. Default: the one around this folder';

/** The commands of `svc docs` that ask several operations, or write. */
export function addDocsCommands(add: Add, docs: Program, commands: DocsCommands): void {
  const check = add(docs, 'check [path]', 'Hold documents against the code: exits with 1 where they fail', [
    'svc docs check --fail-on stale',
    'svc docs check --fail-under 60 --fail-on stale --format github',
  ])
    .option('--fail-under <percent>', 'exit with 1 where documents mention less of what is public')
    .addOption(new Option('--fail-on <what>', 'exit with 1 where a reference is stale').choices(['stale']))
    .option('--exported-only', 'count what files export at their top, without members')
    .addOption(
      new Option('--format <name>', 'how findings are written')
        .choices(['table', 'json', 'github', 'sarif'])
        .default('table'),
    )
    .option('--repo <id-or-path>', repoText);
  check.action((path?: string) => {
    const { failUnder, failOn, exportedOnly, format, repo, ...flags } = check.optsWithGlobals();
    return commands.docsCheck(
      {
        ...{ path, format, repo, exportedOnly: exportedOnly === true, failsOnStale: failOn === 'stale' },
        failUnder: failUnder === undefined ? undefined : percentOf(failUnder),
      },
      flags as GlobalFlags,
    );
  });
  const fix = add(docs, 'fix [path]', 'Show what would mend renamed references in documents, or mend them', [
    'svc docs fix',
    'svc docs fix docs/guide.md --apply',
  ])
    .option('--apply', 'write it into the documents')
    .option('--repo <id-or-path>', repoText);
  fix.action((path?: string) => {
    const { apply, repo, ...flags } = fix.optsWithGlobals();
    return commands.docsFix({ path, apply: apply === true, repo }, flags as GlobalFlags);
  });
}

function percentOf(text: string): number {
  const place = { shown: '--fail-under', path: 'failUnder', schema: { type: 'integer', minimum: 0, maximum: 100 } };
  return parseValue(place, text) as number;
}
