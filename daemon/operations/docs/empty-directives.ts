import type { OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import type { DefinitionTable } from '../../analysis/docs/definition-table.ts';
import { isOfItsDay } from '../../model/document-files.ts';
import { rootModuleId } from '../../model/module.ts';
import { repoPath } from '../../model/paths.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import type { LinkedDocument } from './linked-documents.ts';

type EmptyDirective = OutputOf<Operations['docs.stale']>['directives'][number];

/** Directives that say nothing: misspelt ones, and those about a module or a symbol that there is not. Of several names each. */
export function emptyDirectives(
  of: AnalysedSnapshot,
  { named }: Pick<DefinitionTable, 'named'>,
  { path: docPath, said, names }: LinkedDocument,
): EmptyDirective[] {
  if (isOfItsDay(docPath)) return [];
  const found: EmptyDirective[] = said.misspelt.map(one => ({ docPath, ...one, problem: 'unknown_directive' }));
  for (const { module, directive, line } of said.modules) {
    if (!hasModule(of, plainModule(module))) found.push({ docPath, line, directive, problem: 'unknown_module' });
  }
  for (const { mention, definition, stale } of names) {
    if (mention.kind !== 'directive' || definition !== undefined || stale !== undefined) continue;
    const directive = `<!-- svc:symbol ${mention.rawText} -->`;
    found.push({ docPath, line: mention.line, directive, problem: 'unknown_symbol' });
  }
  for (const { name, line } of said.known) {
    if (named(name).some(({ isLocal }) => !isLocal)) continue;
    found.push({ docPath, line, directive: `<!-- svc:known_symbols ${name} -->`, problem: 'unknown_symbol' });
  }
  return found.sort((a, b) => a.line - b.line);
}

/** A module as it is listed, however it is written. */
export function plainModule(id: string): string {
  const path = id.replace(/^\.\//, '').replace(/\/+$/, '');
  return path === '' || path === '.' ? rootModuleId : path;
}

/** Whether a plain id is that of a module, or a folder that may be one. */
export function hasModule({ asked, reader, snapshot, modules }: AnalysedSnapshot, id: string): boolean {
  if (modules().modules.some(one => one.id === id)) return true;
  const path = repoPath(id);
  return path !== undefined && reader.filesBelow(asked.repo.key, snapshot.seq, path, 1).length > 0;
}
