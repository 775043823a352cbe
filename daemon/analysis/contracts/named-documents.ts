import type { LinkedMember, PlacedUse } from '../../model/federation.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { alikePaths, endsWithPath, writtenPath } from './alike-paths.ts';
import { type ApiDocument, bareName, isSameApi } from './routes.ts';

/** Who names documents, and whose they may be. */
export interface Naming {
  readonly member: LinkedMember;
  readonly documents: readonly ApiDocument[];
  /** The names of repositories by their uids. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * The documents that a generator's configuration names: by a path of its own repository that one and all that say the same API,
 * for what lies with a client is a copy; by a path that leads out, a package or an address those of the repository that stands
 * in it, or whose server it is; else the only one that lies as the path ends, where that tells more than that it is a document.
 */
export function namedDocuments(use: PlacedUse, { member, documents, names }: Naming): readonly ApiDocument[] {
  if (use.file === undefined || use.file.endsWith('.proto')) return [];
  const written = use.file.replaceAll('\\', '/').replace(/[?#].*$/, '');
  const named = documents.filter(({ contract }) => baseName(contract.path) === baseName(written));
  if (named.length === 0) return [];
  const [, host = '', path = written] = /^[a-z][a-z+.-]{0,20}:\/\/([^/]{1,300})(.{0,2000})$/i.exec(written) ?? [];
  const own =
    host === ''
      ? ownDocument(
          use,
          written,
          named.filter(one => one.member === member.uid),
        )
      : undefined;
  if (own !== undefined)
    return documents.filter(one => one === own || (isSameApi(one, own) && !isOfTests(one.contract.path)));
  const others = named.filter(one => one.member !== member.uid);
  const words = wordsIn(host, path);
  const isNamed = (uid: string): boolean => {
    const name = baseName(names.get(uid) ?? '').toLowerCase();
    return words.has(name) || [...words].some(word => word !== '' && bareName(word) === bareName(name));
  };
  const ofNamed = others.filter(one => isNamed(one.member));
  if (ofNamed.length > 0) return placedAlike(ofNamed, path);
  const served = host === '' ? [] : others.filter(({ outline }) => outline.hosts.includes(host.toLowerCase()));
  if (served.length > 0) return placedAlike(served, path);
  if ([...names.keys()].some(uid => uid !== member.uid && isNamed(uid))) return [];
  const telling = others.filter(({ contract }) => endsTelling(contract.path, writtenPath(path)));
  return telling.length === 1 ? telling : [];
}

/** Words of an address and a path that may be a repository's name: of folders that are usual ones only that which leads out. */
function wordsIn(host: string, path: string): ReadonlySet<string> {
  const folders = path.split('/').slice(0, -1);
  const isOut = (at: number): boolean => folders[at - 1] === '..' && folders[at] !== '..';
  const told = folders.filter((folder, at) => isOut(at) || !usualFolders.test(folder));
  return new Set([...host.replace(/:\d{1,5}$/, '').split('.'), ...told].map(word => word.toLowerCase()));
}

/** What tests read is nobody's original. */
function isOfTests(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|fixtures?|__fixtures__|test-?data|mocks?|examples?)\//i.test(path);
}

/** From the folder of what names it or from the root; else the only one of its name, for who knows where commands are run. */
function ownDocument(use: PlacedUse, written: string, own: readonly ApiDocument[]): ApiDocument | undefined {
  if (written.includes('node_modules/')) return undefined;
  const places = [join(directoryOf(use.at), written), join('', written)];
  const there = own.find(({ contract }) => places.includes(contract.path));
  if (there !== undefined || places.every(place => place === undefined)) return there;
  return (
    own.find(({ contract }) => endsWithPath(contract.path, writtenPath(written))) ??
    (own.length === 1 ? own[0] : undefined)
  );
}

/** Of several those that lie as the path ends. */
function placedAlike(documents: readonly ApiDocument[], path: string): readonly ApiDocument[] {
  const alike = documents.filter(({ contract }) => alikePaths(contract.path, writtenPath(path)));
  return alike.length > 0 || documents.length > 1 ? alike : documents;
}

/** Whether two paths end in the same name, which is no usual one, or in folders that aren't. */
function endsTelling(one: string, other: string): boolean {
  const [a, b] = [one.split('/').reverse(), other.split('/').reverse()];
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return a.slice(0, shared).some((name, at) => !(at === 0 ? usualNames : usualFolders).test(name));
}

const usualNames =
  /^(?:openapi|swagger|api|spec|schema|index|docs?|definitions?)(?:[._-]?(?:v?\d[\d.]{0,10}|spec|docs?|api))?\.(?:ya?ml|json)$/i;
const usualFolders =
  /^(?:apis?|docs?|specs?|openapi|swagger|schemas?|contracts?|src|main|resources|static|public|v\d{1,4}|master|\.{0,2})$/i;
