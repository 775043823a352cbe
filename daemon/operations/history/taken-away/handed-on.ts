import { exportKey, handedKey } from '../../../link/questions.ts';
import { moduleFile } from '../../../link/typescript/module-file.ts';
import type { GraphDocument } from '../../../model/graph.ts';
import { exportsIn, type HandedOn } from '../../../model/handed-on.ts';
import type { FileDiff } from '../../../model/history.ts';
import { directoryOf, join } from '../../../model/paths.ts';
import { exportsByName, type Head } from './head.ts';
import { left, type TakenAway } from './taken.ts';
import { sorted } from './users.ts';

/** Of what a file handed on wholesale, so many names are looked for. */
const mostHandedOn = 200;

/** What a file handed on, and exports no more under that name: that who defines it still does. */
export function handedOnNoMore(head: Head, file: FileDiff): readonly TakenAway[] {
  const { comparison, graph } = head;
  const { before } = comparison!.sidesOf(file);
  if (typeof before !== 'object' || before.handedOn.length === 0 || !exportsByName(before.path)) return [];
  const now = exportsAtHead(head, file);
  if (now === undefined) return [];
  const isLost = (one: HandedOn): boolean =>
    !now.handedOn.some(({ name, specifier }) => name === one.name && (name !== '*' || specifier === one.specifier)) &&
    !now.own.has(one.name);
  const names = new Set([...now.own, ...now.handedOn.map(({ name }) => name)]);
  const { path } = before;
  return before.handedOn.filter(isLost).flatMap(({ name, imported, specifier, line }) => {
    const target = fileMeant(head, path, specifier);
    const defined = target === undefined ? [] : graph.definedIn(target);
    const meant = defined.filter(
      one => one.within === '' && one.exported && (imported === '*' || one.name === imported) && head.remains(one.hash),
    );
    return meant.slice(0, mostHandedOn).flatMap(({ hash, name: own, kind }) => {
      const exported = name === '*' ? own : name;
      if (names.has(exported)) return [];
      const users = askersOfExport(head, path, exported);
      return left(
        {
          ...{ change: 'unexported', hash, name: exported, container: '', kind, path },
          line: line + 1,
          lines: 1,
          exported: true,
        },
        users,
      );
    });
  });
}

/** Undefined as long as nobody has read it. */
export function exportsAtHead(
  { comparison, graph, fromRoot }: Head,
  file: FileDiff,
): ReturnType<typeof exportsIn> | undefined {
  const path = fromRoot(file.path) ?? '';
  const { after } = comparison!.sidesOf(file);
  if (file.kind === 'deleted' || file.from !== undefined) return { own: new Set(), handedOn: [] };
  const document = comparison!.asInHead.has(path) ? graph.documentAt(path) : undefined;
  if (document !== undefined) return exportsIn(graph.factsOf(document));
  return typeof after === 'object' ? exportsIn(after.facts()) : undefined;
}

/** The file of the index that a relative specifier means. */
function fileMeant({ graph }: Head, from: string, specifier: string): GraphDocument | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const place = join(directoryOf(from), specifier);
  const exists = (path: string): boolean => graph.documentAt(path) !== undefined;
  const path = place === undefined ? undefined : moduleFile({ exists }, place);
  return path === undefined ? undefined : graph.documentAt(path);
}

/** Who asks a file for a name: in vain, where the index has the file as the head does. */
function askersOfExport({ graph, comparison, uses }: Head, path: string, name: string): readonly string[] {
  const asking = graph.askersOf([exportKey(path, name), handedKey(path, name)]);
  const isAsThen = comparison!.asInHead.has(path) || graph.documentAt(path) === undefined;
  if (isAsThen) return sorted(asking.filter(one => graph.usesInVain(one, new Set([name]))).map(one => one.path));
  const others = asking.map(one => one.path).filter(one => one !== path && !uses.hasMoved(one));
  return sorted(others.filter(one => uses.stillThere(one, name)));
}
