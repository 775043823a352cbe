import { Fault } from '../client/protocol/faults.ts';

/**
 * The one of the media types offered that an `Accept` header prefers (RFC 9110, section 12.5.1); of those that it likes equally
 * the first. Throws `notAcceptable`, naming what is offered, where it takes none.
 */
export function acceptableMedia(accept: string | undefined, offered: readonly string[]): string {
  const first = offered[0]!;
  if (accept === undefined || accept.trim() === '') return first;
  const ranges = accept.split(',').slice(0, mostRanges).map(rangeOf);
  let best: { readonly media: string; readonly quality: number } = { media: first, quality: 0 };
  for (const media of offered) {
    const quality = qualityOf(media, ranges);
    if (quality > best.quality) best = { media, quality };
  }
  if (best.quality > 0) return best.media;
  const words = offered.length === 1 && first === 'application/json' ? 'JSON' : offered.join(' or ');
  throw new Fault('notAcceptable', `The answer is ${words}, which the header Accept does not allow`, {
    details: { offered },
  });
}

const mostRanges = 64;

interface Range {
  readonly media: string;
  readonly quality: number;
}

function rangeOf(text: string): Range {
  const [media = '', ...parameters] = text.split(';').map(part => part.trim().toLowerCase());
  const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
  if (quality === undefined) return { media, quality: 1 };
  return { media, quality: /^(0(\.\d*)?|1(\.0*)?)$/.test(quality) ? Number(quality) : 0 };
}

/** What the range says that names it most closely: the type itself, its kind, anything. */
function qualityOf(media: string, ranges: readonly Range[]): number {
  const kind = `${media.slice(0, media.indexOf('/'))}/*`;
  for (const fits of [
    (range: Range) => isSame(range.media, media),
    (range: Range) => range.media === kind,
    isAnything,
  ]) {
    const found = ranges.filter(fits);
    if (found.length > 0) return Math.max(...found.map(({ quality }) => quality));
  }
  return 0;
}

/** `+json` is JSON: there is no other form of it here. */
function isSame(range: string, media: string): boolean {
  return range === media || (media === 'application/json' && /^application\/.+\+json$/.test(range));
}

function isAnything({ media }: Range): boolean {
  return media === '*/*';
}
