import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { linkContracts } from '../../analysis/contracts/link-contracts.ts';
import { referencedFiles } from '../../extract/api-contract/openapi/other-files.ts';
import { contractFactsVersion } from '../../jobs/federation/facts-version.ts';
import { type ContractScan, contractsOf, scanContracts } from '../../jobs/federation/scan-contracts.ts';
import type { EdgeMark, Federation, MemberContracts, MemberRows } from '../../model/federation.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import { once } from '../../model/once.ts';
import { openIndexReader } from '../../store/index-reader.ts';
import { type MemberFile, type MemberState, openMemberFile } from '../../store/member-file.ts';
import { StoreError, type StoreTrouble } from '../../store/store-faults.ts';
import { type CallContext, Transferred } from '../../workers/port.ts';
import type { ReadAnswer } from '../readers/read-pool.ts';
import { type ConsumerUses, type NoteCallsCall, type UsesCall, usesIn, withCalls } from './consumer-calls.ts';
import { contractsAnswer, depsAnswer, edgesAnswer, impactAnswer, statsAnswer } from './contract-answers.ts';
import { type DiffCall, diffAnswer, protosOf } from './diff-answer.ts';
import { graphAnswer } from './graph.ts';
import { decisionsAnswer, hotspotsAnswer, modulesAnswer, ownershipAnswer } from './lists.ts';
import { suppressAnswer, unsuppressAnswer, unverifyAnswer, verifyAnswer } from './marks.ts';
import type { FederatedCall, FederatedName, FederationView, KnownMember, MemberKnowledge } from './member-view.ts';
import { linkedOf, seenEdges } from './seen-edges.ts';

/** A repository whose files are to be read for contracts. */
export interface ScanCall {
  readonly repoUid: string;
  readonly indexFile: string;
  /** Which of the index file's worktrees. */
  readonly key: string;
  /** '' where there is no work tree: then nothing is read. */
  readonly root: string;
  /** What of its tree nobody of ours may look into. */
  readonly closed: readonly string[];
  /** Whether all is read anew. */
  readonly force: boolean;
}

export interface Scanned {
  readonly contracts: MemberContracts;
  /** Contracts, and files that show that some are used: who owns them is asked about. */
  readonly files: readonly string[];
}

export interface KeepCall {
  readonly repoUid: string;
  readonly stamp: string;
  /** Milliseconds. */
  readonly syncedAt: number;
  readonly rows: MemberRows;
}

/** What the federation worker serves. */
export type FederationCalls = {
  /** Reads what has changed; it is kept with `keep`, or forgotten with the next. */
  readonly scan: (call: ScanCall) => Told<Scanned>;
  /** False, and nothing is kept, where what was read is not here any more. */
  readonly keep: (call: KeepCall) => Told<boolean>;
  readonly noteProblem: (call: { readonly repoUid: string; readonly problem: string }) => Told<void>;
  readonly states: (nothing: null) => Told<readonly MemberState[]>;
  /** Of one; null where nothing is known of it. */
  readonly stateOf: (repoUid: string) => Told<MemberState | null>;
  /** Forgets what is known of all but some. */
  readonly keepOnly: (repoUids: readonly string[]) => Told<void>;
  readonly answer: (call: FederatedCall) => ReadAnswer;
  readonly diff: (call: DiffCall) => ReadAnswer;
  readonly usesIn: (call: UsesCall) => Told<readonly ConsumerUses[]>;
  readonly withCalls: (call: NoteCallsCall) => ReadAnswer;
  /** The `.proto` files of a repository, as far as they are known. */
  readonly protosOf: (repoUid: string) => Told<readonly string[]>;
  /** The paths that OpenAPI documents refer to, by their own. */
  readonly referencedFiles: (files: ReadonlyMap<string, Uint8Array>) => Told<readonly string[]>;
  readonly close: (nothing: null) => void;
};

/** What it tells unasked. */
export type FederationNotices = {
  /** Something of what is known of members was lost. */
  readonly damaged: (what: string) => void;
};

/** What was asked for, or what of the files that it needs is wrong: of an error no more than its words comes through a port. */
export type Told<Value> =
  | { readonly kind: 'told'; readonly value: Value }
  | { readonly kind: 'trouble'; readonly trouble: StoreTrouble; readonly message: string };

type Answers = {
  readonly [Name in FederatedName]: (
    view: FederationView,
    input: InputOf<Operations[Name]>,
  ) => OutputOf<Operations[Name]>;
};

const answers: Answers = {
  'federation.modules': modulesAnswer,
  'federation.ownership': ownershipAnswer,
  'federation.hotspots': hotspotsAnswer,
  'federation.decisions': decisionsAnswer,
  'contracts.list': contractsAnswer,
  'contracts.impact': impactAnswer,
  'contracts.deps': depsAnswer,
  'contracts.stats': statsAnswer,
  'contracts.edges': edgesAnswer,
  'contracts.suppress': suppressAnswer,
  'contracts.unsuppress': unsuppressAnswer,
  'contracts.verify': verifyAnswer,
  'contracts.unverify': unverifyAnswer,
  'contracts.graph': graphAnswer,
};

/** Of so many members what is known stays in memory, and of so many federations what they come to. */
const mostKnown = 1_000;
const mostViews = 8;

/** What questions about a federation are answered from, and what that is made of. */
interface KeptView {
  readonly said: string;
  readonly known: readonly (MemberKnowledge | undefined)[];
  readonly view: Omit<FederationView, 'now'>;
}

function madeView(
  federation: Federation,
  marks: readonly EdgeMark[],
  known: readonly (MemberKnowledge | undefined)[],
): KeptView['view'] {
  const members: KnownMember[] = federation.members.map((member, at) => ({ ...member, known: known[at] }));
  const byUid = new Map(members.map(member => [member.repoUid, member]));
  const linked = once(() => linkContracts(linkedOf(members)));
  const idOf = (uid: string): string => byUid.get(uid)?.repoId ?? '';
  const edges = once(() => seenEdges(linked().edges, marks, idOf));
  return { federation, members, marks, memberAt: uid => byUid.get(uid), linked, edges };
}

export function createFederationService(file: string, onDamage: (what: string) => void) {
  let opened: MemberFile | undefined;
  const members = (): MemberFile => {
    opened ??= openMemberFile(file, onDamage);
    return opened;
  };
  const scans = new Map<string, ContractScan>();
  const known = new Map<string, MemberKnowledge | undefined>();
  const knowledgeOf = (repoUid: string): MemberKnowledge | undefined => {
    if (!known.has(repoUid)) {
      const stored = members().read(repoUid);
      const read = stored && {
        ...{ stamp: stored.stamp, syncedAt: stored.syncedAt, rows: stored.rows as MemberRows },
        contracts: contractsOf(stored.contracts as ContractScan),
      };
      keepNewest(known, repoUid, read, mostKnown);
    }
    return known.get(repoUid);
  };
  const views = new Map<string, KeptView>();
  const viewOf = ({ federation, marks, now }: Pick<FederatedCall, 'federation' | 'marks' | 'now'>): FederationView => {
    const said = JSON.stringify([federation, marks]);
    const all = federation.members.map(({ repoUid }) => knowledgeOf(repoUid));
    const kept = views.get(federation.uid);
    const isSame = kept?.said === said && all.every((one, at) => one === kept.known[at]);
    const made = isSame ? kept : { said, known: all, view: madeView(federation, marks, all) };
    keepNewest(views, federation.uid, made, mostViews);
    return { ...made.view, now };
  };
  const scan = async (
    { repoUid, indexFile, key, root, closed, force }: ScanCall,
    signal: AbortSignal,
  ): Promise<Scanned> => {
    const before = force ? undefined : (members().read(repoUid)?.contracts as ContractScan | undefined);
    const made =
      root === '' ? nothing : await scanContracts({ root, entries: entriesOf(indexFile, key), closed, before, signal });
    keepNewest(scans, repoUid, made, 4);
    const contracts = contractsOf(made);
    const shown = [...contracts.declared.map(({ path }) => path), ...contracts.uses.map(({ at }) => at)];
    return { contracts, files: [...new Set(shown)].slice(0, mostFiles) };
  };
  return {
    scan: (call: ScanCall, { signal }: CallContext) => told(() => scan(call, signal)),
    keep: ({ repoUid, stamp, syncedAt, rows }: KeepCall) =>
      told(() => {
        const contracts = scans.get(repoUid);
        if (contracts === undefined) return false;
        members().write(repoUid, { stamp, syncedAt, rows, contracts });
        scans.delete(repoUid);
        known.delete(repoUid);
        return true;
      }),
    noteProblem: ({ repoUid, problem }: { readonly repoUid: string; readonly problem: string }) =>
      told(() => members().noteProblem(repoUid, problem)),
    states: () => told(() => members().states()),
    stateOf: (repoUid: string) => told(() => members().stateOf(repoUid) ?? null),
    keepOnly: (repoUids: readonly string[]) =>
      told(() => {
        members().keepOnly(new Set(repoUids));
        known.clear();
      }),
    answer: (call: FederatedCall): Reply =>
      encoded(() => {
        const answer = answers[call.operation] as (view: FederationView, input: FederatedCall['input']) => unknown;
        return answer(viewOf(call), call.input);
      }),
    diff: (call: DiffCall): Reply => encoded(() => diffAnswer(viewOf(call), call)),
    usesIn: (call: UsesCall) => told(() => usesIn(call)),
    withCalls: (call: NoteCallsCall): Reply => encoded(() => withCalls(call)),
    protosOf: (repoUid: string) => told(() => protosOf(knowledgeOf(repoUid)?.contracts)),
    referencedFiles: (files: ReadonlyMap<string, Uint8Array>) =>
      told(() => [...files].flatMap(([path, bytes]) => referencedFiles(path, bytes))),
    close: (): void => opened?.close(),
  };
}

type Reply = ReadAnswer | Transferred<ReadAnswer>;

function encoded(work: () => unknown): Reply {
  try {
    const said = work();
    const bytes = new TextEncoder().encode(typeof said === 'string' ? said : JSON.stringify(said));
    return new Transferred({ kind: 'encoded', bytes }, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    return troubleIn(error);
  }
}

async function told<Value>(work: () => Value | Promise<Value>): Promise<Told<Value>> {
  try {
    return { kind: 'told', value: await work() };
  } catch (error) {
    return troubleIn(error);
  }
}

/** Throws what is none. */
function troubleIn(error: unknown): Told<never> & { readonly kind: 'trouble' } {
  if (!(error instanceof StoreError)) throw error;
  return { kind: 'trouble', trouble: error.trouble, message: error.message };
}

/** Owners of more files are not looked up. */
const mostFiles = 5_000;
const nothing: ContractScan = { version: contractFactsVersion, files: {}, silent: '', codeFiles: 0 };

function entriesOf(indexFile: string, key: string) {
  const reader = openIndexReader(indexFile);
  try {
    return reader.manifest(key)?.entries ?? [];
  } finally {
    reader.close();
  }
}
