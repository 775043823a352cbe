import { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import Module, { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { Database } from '../../daemon/store/sqlite.ts';

/**
 * Stands in for the kernel on machines that let nobody set limits or look at system calls: loaded before a program and into
 * each of its threads (`node --import`), it refuses what the orders in the file `SVC_STAND_IN` say, which may change at any
 * time, and writes down what is called, as strace would.
 */
export interface Orders {
  /** Kernel watches that may be had at once; -1: not one, for want of an instance. */
  readonly watches?: number;
  /** Where nothing can be written, and why. */
  readonly unwritable?: { readonly folder: string; readonly code: 'ENOSPC' | 'EROFS' };
  /** The nth sync to the device fails, counted in each thread, or each of them; those of SQLite happen at its commits. */
  readonly failingSync?: number | 'each';
  /**
   * The nth call of a kind fails, counted in each thread: of those at files that are opened to be written, written to (a statement
   * of SQLite that writes is one), renamed or given another name.
   */
  readonly failing?: {
    readonly call: 'open' | 'write' | 'rename';
    readonly nth: number;
    readonly code: 'EIO' | 'ENOSPC';
  };
  /** Path of something that belongs to another user. */
  readonly foreign?: string;
  /** A text with this word in it ends the process when it is parsed, or fills its thread's memory. In force from the start. */
  readonly deadly?: { readonly word: string; readonly by: 'abort' | 'oom' };
  /** How far the system's clock is moved, in milliseconds: what tells the time of day, and nothing that counts time. */
  readonly clockMs?: number;
  /** A file for the calls. */
  readonly record?: string;
}

const ordersFile = process.env['SVC_STAND_IN'];
const untouched = { ...fs };
let orders: Orders = {};
let read = '';

/** The orders as they stand now. */
function ordered(): Orders {
  if (ordersFile === undefined) return orders;
  try {
    // Of two that are given within one tick of the kernel's clock only the number of the file tells.
    const { mtimeNs, ino } = untouched.statSync(ordersFile, { bigint: true });
    const now = `${mtimeNs} ${ino}`;
    if (now !== read) orders = JSON.parse(untouched.readFileSync(ordersFile, 'utf8')) as Orders;
    read = now;
  } catch {
    // It is being written.
  }
  return orders;
}

function refusal(code: string, words: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${words}, ${syscall} '${path}'`), { code, syscall, path });
}

function record(call: string): void {
  const { record: file } = ordered();
  if (file !== undefined) untouched.appendFileSync(file, `${process.pid} ${call}\n`);
}

const isBelow = (path: unknown, folder: string): boolean =>
  typeof path === 'string' && (path === folder || path.startsWith(`${folder}/`));

function refuseWriting(path: unknown, syscall: string): void {
  const { unwritable } = ordered();
  if (unwritable === undefined || !isBelow(path, unwritable.folder)) return;
  const words = unwritable.code === 'ENOSPC' ? 'no space left on device' : 'read-only file system';
  throw refusal(unwritable.code, words, syscall, String(path));
}

const calls = { open: 0, write: 0, rename: 0 };

function isFailing(call: keyof typeof calls): NonNullable<Orders['failing']>['code'] | undefined {
  const { failing } = ordered();
  return failing?.call === call && ++calls[call] === failing.nth ? failing.code : undefined;
}

function failWhereTold(call: keyof typeof calls, path: unknown): void {
  // Not a pipe or a terminal.
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('/dev/')) return;
  const code = isFailing(call);
  if (code !== undefined) throw refusal(code, code === 'EIO' ? 'i/o error' : 'no space left on device', call, path);
}

const pathOf = (descriptor: number): string => untouched.readlinkSync(`/proc/self/fd/${descriptor}`);

/** Puts `around` in the place of a function; it is given the one before. */
function replace(target: object, name: string, around: (original: (...args: unknown[]) => unknown) => unknown): void {
  const original = Reflect.get(target, name) as (...args: unknown[]) => unknown;
  Reflect.set(target, name, around(original));
}

let watches = 0;
replace(fs, 'watch', original => (...args: unknown[]) => {
  const { watches: limit } = ordered();
  if (limit === -1) throw refusal('EMFILE', 'too many open files', 'watch', String(args[0]));
  if (limit !== undefined && watches >= limit)
    throw refusal('ENOSPC', 'no space left on device', 'watch', String(args[0]));
  const watcher = original(...args) as fs.FSWatcher;
  watches++;
  watcher.once('close', () => watches--);
  return watcher;
});

const isWritten = (flags: unknown): boolean =>
  typeof flags === 'string' ? /[wa+]/.test(flags) : typeof flags === 'number' && (flags & 3) !== 0;

function recordOpen(path: unknown, flags?: unknown): void {
  if (typeof path === 'string') {
    record(`openat(AT_FDCWD, ${JSON.stringify(path)}, ${isWritten(flags) ? 'O_RDWR' : 'O_RDONLY'}) = 3`);
  }
}

replace(fs, 'openSync', original => (...args: unknown[]) => {
  const [path, flags] = args;
  recordOpen(path, flags);
  if (isWritten(flags) && !fs.existsSync(String(path))) refuseWriting(path, 'open');
  if (isWritten(flags)) failWhereTold('open', path);
  return original(...args);
});

for (const [of, name] of [
  [fs, 'readFileSync'],
  [fs, 'readFile'],
  [fs, 'createReadStream'],
  [fs.promises, 'readFile'],
] as const) {
  replace(of, name, original => (...args: unknown[]) => {
    recordOpen(args[0]);
    return original(...args);
  });
}

for (const name of ['writeFileSync', 'mkdirSync', 'copyFileSync']) {
  replace(fs, name, original => (...args: unknown[]) => {
    const path = args[name === 'copyFileSync' ? 1 : 0];
    // Making a folder that is there needs no room.
    if (name !== 'mkdirSync' || !fs.existsSync(String(path))) refuseWriting(path, name);
    if (name !== 'mkdirSync') failWhereTold('write', path);
    return original(...args);
  });
}

/** A path that leads through a descriptor, as it reads without. */
const plain = (path: string): string =>
  path.startsWith('/proc/self/fd/') ? `${untouched.realpathSync(dirname(path))}/${basename(path)}` : path;

for (const [name, syscall] of [
  ['open', 'open'],
  ['mkdir', 'mkdir'],
  ['link', 'link'],
] as const) {
  replace(fs.promises, name, original => async (...args: unknown[]) => {
    const path = plain(String(args[name === 'link' ? 1 : 0]));
    if (name === 'open') recordOpen(path, args[1]);
    const isWriting = name !== 'open' || ((args[1] as number) & 3) !== 0;
    if (isWriting && !fs.existsSync(path)) refuseWriting(path, syscall);
    if (isWriting && name !== 'mkdir') failWhereTold(name === 'link' ? 'rename' : 'open', path);
    const done = await original(...args);
    if (name === 'link') record(`${syscall}("${plain(String(args[0]))}", "${path}") = 0`);
    return done;
  });
}

let syncs = 0;
const isFailingSync = (): boolean => {
  const { failingSync } = ordered();
  return ++syncs === failingSync || failingSync === 'each';
};

const handles = Object.getPrototypeOf(await untouched.promises.open('/dev/null').then(closed)) as object;
replace(
  handles,
  'writeFile',
  original =>
    async function writeFile(this: fs.promises.FileHandle, ...args: unknown[]) {
      const path = pathOf(this.fd);
      refuseWriting(path, 'write');
      failWhereTold('write', path);
      await original.apply(this, args);
      record(`write(${this.fd}<${path}>, ${JSON.stringify(String(args[0]).slice(-256))}) = 0`);
    },
);
replace(
  handles,
  'sync',
  original =>
    async function sync(this: fs.promises.FileHandle) {
      const path = pathOf(this.fd);
      if (isFailingSync()) throw refusal('EIO', 'i/o error', 'fsync', path);
      await original.apply(this);
      record(`fsync(${this.fd}<${path}>) = 0`);
    },
);

async function closed(handle: fs.promises.FileHandle): Promise<fs.promises.FileHandle> {
  await handle.close();
  return handle;
}

replace(fs, 'writeSync', original => (...args: unknown[]) => {
  const path = pathOf(args[0] as number);
  refuseWriting(path, 'write');
  failWhereTold('write', path);
  const written = original(...args);
  record(`write(${args[0]}<${path}>, ${JSON.stringify(String(args[1]).slice(-256))}) = ${written}`);
  return written;
});

replace(fs, 'fsyncSync', original => (...args: unknown[]) => {
  const path = pathOf(args[0] as number);
  if (isFailingSync()) throw refusal('EIO', 'i/o error', 'fsync', path);
  original(...args);
  record(`fsync(${args[0]}<${path}>) = 0`);
});

for (const [name, syscall] of [
  ['renameSync', 'rename'],
  ['linkSync', 'link'],
] as const) {
  replace(fs, name, original => (...args: unknown[]) => {
    refuseWriting(args[1], syscall);
    failWhereTold('rename', args[1]);
    original(...args);
    record(`${syscall}("${args[0]}", "${args[1]}") = 0`);
  });
}

/** A disk on which nothing can be written has no room. */
replace(fs, 'statfsSync', original => (...args: unknown[]) => {
  const { unwritable } = ordered();
  const stats = original(...args) as fs.StatsFs;
  const isFull = unwritable?.code === 'ENOSPC' && isBelow(args[0], unwritable.folder);
  return isFull ? Object.assign(stats, { bavail: 0, bfree: 0 }) : stats;
});

replace(fs, 'lstatSync', original => (...args: unknown[]) => {
  const stats = original(...args) as fs.Stats | undefined;
  if (stats !== undefined && args[0] === ordered().foreign) stats.uid += 1;
  return stats;
});
syncBuiltinESMExports();

replace(Date, 'now', original => () => (original() as number) + (ordered().clockMs ?? 0));
globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, made === globalThis.Date ? target : made),
});

replace(
  ChildProcess.prototype,
  'spawn',
  original =>
    function spawn(this: ChildProcess, ...args: unknown[]) {
      const { file } = args[0] as { file: string };
      record(`execve("${file}") = 0`);
      return original.apply(this, args);
    },
);

replace(
  Socket.prototype,
  'connect',
  original =>
    function connect(this: Socket, ...args: unknown[]) {
      record(`connect(${peerOf(args)}) = 0`);
      return original.apply(this, args);
    },
);

/** As strace names it. `net` hands on its arguments as a list in a list. */
function peerOf(args: readonly unknown[]): string {
  const first = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  const { path, host } = (typeof first === 'object' && first !== null ? first : {}) as Record<string, unknown>;
  if (typeof first === 'string' || typeof path === 'string') return `{sa_family=AF_UNIX, sun_path="${path ?? first}"}`;
  const near = host === undefined || host === 'localhost';
  return `{sa_family=AF_INET, sin_addr=inet_addr("${near ? '127.0.0.1' : host}")}`;
}

/** What SQLite says of its own calls is made up: those are out of our reach. */
function refuseSql(database: { readonly name: string; readonly readonly: boolean }, isCommit: boolean): void {
  if (database.readonly) return;
  const { unwritable } = ordered();
  if (unwritable !== undefined && isBelow(database.name, unwritable.folder)) {
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  }
  const code = isFailing('write');
  if (code === 'EIO') throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
  if (code === 'ENOSPC') throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  if (isCommit && isFailingSync()) throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
}

const probe = new Database(':memory:');
replace(
  Object.getPrototypeOf(probe.prepare('SELECT 1')),
  'run',
  original =>
    function run(
      this: { source: string; database: { name: string; readonly: boolean; inTransaction: boolean } },
      ...args: unknown[]
    ) {
      const { source, database } = this;
      const isCommit = source === 'COMMIT' || (!database.inTransaction && !/^(BEGIN|ROLLBACK|SAVEPOINT)/.test(source));
      if (!/^(BEGIN|ROLLBACK|SAVEPOINT|RELEASE)/.test(source)) refuseSql(database, isCommit);
      return original.apply(this, args);
    },
);
probe.close();

if (ordered().deadly !== undefined) {
  // The library is loaded again and again: each time its parser is watched anew.
  replace(
    Module.prototype,
    'require',
    original =>
      function require(this: unknown, ...args: unknown[]) {
        const loaded = original.apply(this, args);
        if (args[0] === 'web-tree-sitter') watchParser(loaded as typeof import('web-tree-sitter'));
        return loaded;
      },
  );
}

function watchParser({ Parser }: typeof import('web-tree-sitter')): void {
  replace(
    Parser.prototype,
    'parse',
    original =>
      function parse(this: unknown, ...args: unknown[]) {
        const [text] = args;
        const { deadly } = ordered();
        const words = typeof text === 'function' ? text(0) : text;
        if (deadly !== undefined && String(words).includes(deadly.word)) die(deadly.by);
        return original.apply(this, args);
      },
  );
}

function die(by: 'abort' | 'oom'): void {
  if (by === 'abort') process.kill(process.pid, 'SIGABRT');
  const kept: unknown[] = [];
  for (let n = 0; ; n++) kept.push(new Array(1_000_000).fill(n + 0.5));
}
