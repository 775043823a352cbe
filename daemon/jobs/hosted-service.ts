import type { Handlers } from '../workers/port.ts';
import type { GivenArtifact } from './delta/given-artifact.ts';
import { readTreeless, type TreelessDelta } from './delta/read-treeless.ts';
import { type MirrorInput, mirrorIndex } from './mirror/service.ts';
import { progressOf } from './run-progress.ts';
import { failWriting } from './storage-fault.ts';
import { createTurns } from './turns.ts';
import { type Uploaded, type UploadInput, uploadIndex } from './upload/service.ts';
import type { WriteNotice } from './write-calls.ts';

/** What makes indexes of repositories without a work tree, and reads what is sent about them. Each is a new file, which nobody else knows before it is whole. */
export type HostedCalls = {
  readonly upload: (input: UploadInput) => Uploaded;
  readonly mirror: (input: MirrorInput) => Uploaded;
  readonly readDelta: (artifact: GivenArtifact) => TreelessDelta;
};

/** More at once would take more memory, and be no faster. */
const atOnce = 2;

export function createHostedService(tell: (notice: WriteNotice) => void): Handlers<HostedCalls> {
  const turns = createTurns(atOnce);
  const make = <Input extends UploadInput | MirrorInput>(
    input: Input,
    signal: AbortSignal,
    work: (input: Input, signal: AbortSignal, onProgress: ReturnType<typeof progressOf>) => Promise<Uploaded>,
  ): Promise<Uploaded> =>
    turns(async () => {
      signal.throwIfAborted();
      return await work(input, signal, progressOf(input.run, tell)).catch(error => failWriting(error));
    });
  return {
    upload: (input, { signal }) => make(input, signal, uploadIndex),
    mirror: (input, { signal }) => make(input, signal, mirrorIndex),
    readDelta: artifact => turns(() => readTreeless(artifact)),
  };
}
