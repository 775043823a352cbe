import { contractFactsIn, contractsOf, isCode, type ScannedFile } from '../../daemon/jobs/federation/scan-contracts.ts';
import type { ContractUse } from '../../daemon/model/contract.ts';
import type { ContractEdge, LinkedMember } from '../../daemon/model/federation.ts';
import { parseTree } from './repository.ts';

/**
 * The repositories of one text, as contracts are linked over them: the first folder of a path is the repository, `-- cart/main.go --`.
 * A file `.uses` says what of a file no reader tells yet: JSON, one use a line, each with `at`, the file that shows it.
 */
export function membersIn(text: string): readonly LinkedMember[] {
  const trees = new Map<string, Map<string, string>>();
  for (const [place, content] of parseTree(text)) {
    const slash = place.indexOf('/');
    const tree = trees.get(place.slice(0, slash)) ?? new Map<string, string>();
    trees.set(place.slice(0, slash), tree.set(place.slice(slash + 1), content));
  }
  return [...trees].map(([name, tree]) => memberOf(name, tree));
}

/** A repository of some files; its uid is its name. */
export function memberOf(name: string, tree: ReadonlyMap<string, string>): LinkedMember {
  const files: Record<string, ScannedFile> = {};
  for (const [path, content] of tree) {
    if (path === '.uses') continue;
    const facts = contractFactsIn(path, new TextEncoder().encode(content));
    if (facts !== undefined) files[path] = { hash: path, facts, modifiedAt: 0 };
  }
  for (const { at, ...use } of usesTold(tree.get('.uses') ?? '')) {
    const facts = files[at]?.facts ?? { uses: [] };
    files[at] = { hash: at, facts: { ...facts, uses: [...facts.uses, use] }, modifiedAt: 0 };
  }
  const codeFiles = [...tree.keys()].filter(isCode).length;
  return { uid: name, name, contracts: contractsOf({ files, codeFiles }) };
}

type ToldUse = ContractUse & { readonly at: string };

function usesTold(lines: string): readonly ToldUse[] {
  return lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => ({ language: 'configuration', line: 1, seen: line, ...(JSON.parse(line) as object) }) as ToldUse);
}

/** An edge a line: who depends on what, as what, how sure, by whom it is implemented, and what shows it. */
export function edgesTold(edges: readonly ContractEdge[]): string {
  return edges
    .map(({ from, contract, service, role, tier, confidence, providers, evidence }) => {
      const shown = evidence.map(
        ({ file, line, kind, isTest }) => `${file}:${line} ${kind}${isTest ? ' in a test' : ''}`,
      );
      const what = `${contract.uid}/${contract.path}${service === '' ? '' : ` ${service}`}`;
      const by = providers.length === 0 ? '' : ` by ${providers.join(' ')}`;
      return `${from} -> ${what} ${role} ${tier} ${confidence}${by} | ${shown.join(', ')}`;
    })
    .join('\n');
}
