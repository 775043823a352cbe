import { amount } from '../../../client/protocol/amount.ts';
import type { Uploaded } from './service.ts';
import { twinsTold } from './twins.ts';

export const uploadJobType = 'upload-index';

/** What the job takes, as its `input` holds it. */
export interface UploadJobInput {
  /** Absolute; it goes with the job, so that no restart takes it up again. */
  readonly file: string;
  /** Of the file. */
  readonly bytes: number;
  /** Full hash; '' where nobody said. */
  readonly commit: string;
}

/** From so many bytes on an upload is work for minutes. */
const largeBytes = 64 * 1024 * 1024;

export function isLargeUpload({ bytes }: UploadJobInput): boolean {
  return bytes > largeBytes;
}

const mostExamples = 5;

/** What of an index was not taken in, and what whoever takes it elsewhere must know, in public words. */
export function warningsOf({ rejected, twins }: Pick<Uploaded, 'rejected' | 'twins'>): readonly string[] {
  return [...rejectionsOf(rejected), ...twinsTold(twins)];
}

function rejectionsOf(rejected: Uploaded['rejected']): readonly string[] {
  return Object.entries(rejected.counts).map(([reason, count]) => {
    const examples = rejected.samples
      .filter(sample => sample.reason === reason)
      .map(exampleOf)
      .filter(example => example !== '')
      .slice(0, mostExamples);
    return `left out, ${reason}: ${amount(count, 'time')}${examples.length === 0 ? '' : ` (${examples.join('; ')})`}`;
  });
}

/** '' where nothing is known but the reason. */
function exampleOf({ path, detail }: Uploaded['rejected']['samples'][number]): string {
  return [path === '' ? '' : JSON.stringify(path), detail].filter(part => part !== '').join(': ');
}
