import type { SkipReason } from '../model/document.ts';

/** Why a file was passed over, as people are told it. */
export const passedFor: Readonly<Record<SkipReason, string>> = {
  too_large: 'larger than limits.source_bytes',
  binary: 'binary',
  long_line: 'with lines longer than limits.source_line_characters',
  not_regular: 'no regular file',
  unreadable: 'not readable',
  outside_root: 'outside the root',
  parse_timeout: 'takes longer to parse than limits.parse_seconds',
  parser_trap: 'its parser failed',
  parser_stuck: 'its parser came to no end',
  quarantined: 'it was being read each time that the daemon died',
  unsupported: 'of no known language',
};

/** Listed, and yet no file that the tree itself holds: it is not found. */
export function isNoFile(skip: SkipReason | ''): boolean {
  return skip === 'not_regular' || skip === 'outside_root';
}
