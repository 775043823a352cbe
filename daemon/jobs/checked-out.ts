import { basename } from 'node:path';
import type { Git } from '../backends/git.ts';
import { attributeFilesOf, attributesName } from '../backends/git-attributes.ts';
import { type Conversion, checkedOut } from '../backends/git-conversion.ts';
import type { Blob } from '../backends/git-objects.ts';
import type { GitRepository } from '../backends/git-repository.ts';
import type { GitCall } from '../backends/git-runner.ts';
import type { TreeFile } from '../backends/git-trees.ts';

/** A file of a commit as a clean work tree has it. */
export interface CheckedOut {
  readonly blob: Blob;
  /** What would convert it, of which the outcome is not known here: `blob` is without that. */
  readonly by: string | undefined;
}

/** What is made of a blob by `git checkout`, in so far as no program has to run for it. */
export function convertedBlob(
  blob: Blob,
  hash: string,
  conversion: Conversion | undefined,
  mostBytes: number,
): CheckedOut {
  if (conversion === undefined) return { blob, by: undefined };
  if (blob.kind === 'large') {
    return { blob, by: conversion.by ?? 'its line ends (it is too large for them to be counted)' };
  }
  const bytes = checkedOut(blob.bytes, hash, conversion);
  const isLarge = bytes.length > mostBytes;
  return { blob: isLarge ? { kind: 'large', size: bytes.length } : { kind: 'bytes', bytes }, by: conversion.by };
}

/** What converts files of a commit, all of whose files are known. */
export function conversionsIn(
  git: Git,
  repository: GitRepository,
  files: ReadonlyMap<string, TreeFile>,
  paths: readonly string[],
  call: GitCall,
): Promise<ReadonlyMap<string, Conversion>> {
  const attributeFiles = new Map([...files].filter(([path]) => basename(path) === attributesName));
  return git.conversions(repository, attributeFiles, paths, call);
}

/** The same where only some of its files are asked for. */
export async function conversionsAt(
  git: Git,
  repository: GitRepository,
  commit: string,
  paths: readonly string[],
  call: GitCall,
): Promise<ReadonlyMap<string, Conversion>> {
  const above = [...new Set(paths.flatMap(attributeFilesOf))];
  return git.conversions(repository, await git.filesAt(repository, commit, above, call), paths, call);
}
