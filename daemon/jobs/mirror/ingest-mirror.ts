import { setImmediate as nextTurn } from 'node:timers/promises';
import { ByteStrings } from '../../extract/scip/byte-strings.ts';
import { tooLarge } from '../../extract/scip/problem.ts';
import type { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { factsFormat } from '../../model/facts-format.ts';
import { FactsWriter } from '../../model/facts-writer.ts';
import { givenTail } from '../../model/identity.ts';
import type { MirrorReader } from '../../store/mirror-reader.ts';
import type { Published } from '../../store/publication.ts';
import {
  factsOnTheirWay,
  publishLinks,
  throwIfCancelled,
  type UploadRun,
  type UploadTools,
} from '../upload/ingest-upload.ts';
import { UploadLinks } from '../upload/links.ts';
import { factsOfMirrored } from './mirror-facts.ts';

export interface MirrorRun extends Pick<UploadRun, 'key' | 'signal' | 'isCancelled' | 'onRest'> {
  /** How many of the documents are read, of 1. */
  readonly onRead: (fraction: number) => void;
}

/** Raised whenever the same rows would give another index. */
export const mirrorVersion = 1000 + factsFormat;

const documentsInOneGo = 100;

/** Makes an index of what another index tells in rows: as of an upload, but that symbols bring their identity with them. */
export async function ingestMirror(mirror: MirrorReader, run: MirrorRun, tools: UploadTools): Promise<Published> {
  const hashes = numberedHashes(tools.memory);
  const readings = { symbol: mirror.symbol, numberOf: hashes.numberOf, writer: new FactsWriter() };
  const links = new UploadLinks(tools.memory);
  const shelf = factsOnTheirWay(tools.writer);
  let done = 0;
  for (const document of mirror.documents()) {
    throwIfCancelled(run);
    const facts = factsOfMirrored(document, readings);
    links.add(document.path, shelf.put(facts, undefined), facts);
    if (++done % documentsInOneGo === 0) {
      run.onRead(done / mirror.documentCount);
      await nextTurn();
    }
  }
  shelf.flush();
  run.onRest('link');
  throwIfCancelled(run);
  const external = (symbol: number) => ({ manager: '', package: '', name: givenTail([], hashes.hash(symbol)) });
  return publishLinks(links, links.numbered({ external }, hashes.count()), run, tools);
}

interface NumberedHashes {
  numberOf(hash: string): number;
  hash(number: number): string;
  count(): number;
}

function numberedHashes(memory: ScratchMemory): NumberedHashes {
  const texts = new ByteStrings(memory);
  const bytes = Buffer.alloc(32);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    numberOf: hash => {
      bytes.write(hash, 'latin1');
      const number = texts.add(0, view, 0, bytes.length);
      if (number < 0) throw tooLarge('Symbols made to be slow to tell apart', 0);
      return number;
    },
    hash: number => texts.text(number),
    count: () => texts.count,
  };
}
