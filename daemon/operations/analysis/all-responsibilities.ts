import { createHash } from 'node:crypto';
import { inSlices } from '../../jobs/in-slices.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { Asked } from '../symbols/answers.ts';
import { analysed } from './analyses.ts';
import { describedIn, type ToldResponsibilities } from './responsibilities.ts';

/** What is told of one module, and a digest of that: while it is the same, so is what is told. */
export interface DescribedModule {
  readonly told: ToldResponsibilities;
  /** Of summary, capabilities, key symbols, confidence and source: not of lines and counts, which change all the time. In hex. */
  readonly digest: string;
}

/** How long work is called off, and how it tells how far it is. */
export interface Steps {
  /** Throws where the work is called off; asked a hundred times a second at most. */
  readonly check: () => void;
  readonly onProgress: (done: number, all: number) => void;
}

/**
 * What all modules of the snapshot that a question is about are there for, in the order of their ids. Each module is a read of
 * its own, so that none goes on for long, and others get their turn between them.
 */
export async function allResponsibilities(
  reader: IndexReader,
  asked: Asked,
  { check, onProgress }: Steps,
): Promise<readonly DescribedModule[]> {
  const ids = analysed(reader, asked, of => describedIn(of).model.modules.map(({ id }) => id));
  const found: DescribedModule[] = [];
  check();
  await inSlices(ids, check, id => {
    const told = analysed(reader, asked, of => {
      const { model, toldOf } = describedIn(of);
      const module = model.modules.find(one => one.id === id);
      return module === undefined ? undefined : toldOf(module);
    });
    if (told !== undefined) found.push({ told, digest: digestOf(told) });
    onProgress(found.length, ids.length);
  });
  return found;
}

function digestOf({
  moduleId,
  summary,
  capabilities,
  keySymbols,
  symbols,
  confidence,
  source,
}: ToldResponsibilities): string {
  const said = [moduleId, summary, capabilities, keySymbols, symbols.map(({ id }) => id), confidence, source];
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}
