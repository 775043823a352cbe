import { closingOf, type Found, type Source } from '../text/source.ts';
import { constantsIn } from './javascript-imports.ts';

/**
 * The packages that stand beside `protoPath` at `at` in options of NestJS, `{ package: 'shop.v1', protoPath: … }`; nothing where
 * one of them isn't told.
 */
export function packagesBeside(source: Source, at: number): Pick<Found, 'from' | 'among'> {
  const open = openBefore(source.code, at);
  const end = open < 0 ? -1 : closingOf(source, open, longestOptions);
  if (end < 0) return {};
  const [, list, one] =
    /(?<![\w$.])["']?package["']?\s{0,5}:\s{0,20}(?:\[([^\][]{1,1000})\]|(["'`][\w.]{1,200}["'`]|[\w$.]{1,200}))/.exec(
      source.readable.slice(open, end),
    ) ?? [];
  const written = (list ?? one ?? '').split(',').map(item => item.trim());
  const packages = written.flatMap(item => (item === '' ? [] : [packageOf(item, source)]));
  if (packages.length === 0 || packages.includes('')) return {};
  return packages.length === 1 ? { from: packages[0]! } : { among: packages };
}

/** Of the braces that an offset is in. */
function openBefore(code: string, at: number): number {
  let depth = 0;
  const least = Math.max(0, at - longestOptions);
  for (let i = at - 1; i >= least; i--) {
    if (')]}'.includes(code[i]!)) depth++;
    else if ('([{'.includes(code[i]!) && --depth < 0) return code[i] === '{' ? i : -1;
  }
  return -1;
}

const longestOptions = 2_000;

/** A string, or a constant of the file or of ts-proto: `SHOP_V1_PACKAGE_NAME` of `shop.v1`; '' where it isn't told. */
function packageOf(written: string, source: Source): string {
  const [, literal] = /^["'`]([\w.]{1,200})["'`]$/.exec(written) ?? [];
  const [, words] =
    /^(?:[\w$]{1,100}\.)?([A-Z][A-Z\d]{0,60}(?:_[A-Z\d]{1,60}){0,12})_PACKAGE_NAME$/.exec(written) ?? [];
  return literal ?? constantsIn(source).get(written) ?? words?.toLowerCase().replaceAll('_', '.') ?? '';
}
