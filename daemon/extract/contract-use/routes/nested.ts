import { argumentsAt, closingOf, type Found, inCode, type Source } from '../text/source.ts';
import { below, methodOf } from './forms.ts';
import { writtenPath } from './written-path.ts';

interface Block {
  readonly from: number;
  readonly to: number;
  readonly prefix: string;
}

/**
 * Routes that stand in blocks of code which give them their prefix: `route("/carts") { get("/{id}") { … } }`. Both patterns end
 * with the parenthesis that opens the arguments.
 */
export function* nestedRoutes(source: Source, blocks: RegExp, routes: RegExp, isRelative = false): Iterable<Found> {
  const found: Block[] = [];
  for (const match of inCode(source, blocks)) {
    const open = match.index + match[0].length - 1;
    const [first] = argumentsAt(source, open);
    const written = first === undefined ? undefined : writtenPath(source, first.from, first.to, true);
    const close = closingOf(source, open);
    const body = close < 0 ? -1 : source.code.slice(close, close + 60).search(/\{/);
    if (written === undefined || body < 0 || found.length > 300) continue;
    const to = closingOf(source, close + body, 200_000);
    found.push({
      from: close + body,
      to: to < 0 ? source.code.length : to,
      prefix: below(prefixAt(found, match.index), written.path),
    });
  }
  for (const match of inCode(source, routes)) {
    const open = match.index + match[0].length - 1;
    const [first] = argumentsAt(source, open);
    const written =
      first === undefined ? undefined : writtenPath(source, first.from, first.to, isRelative || found.length > 0);
    if (written === undefined) continue;
    yield {
      kind: 'route',
      at: match.index,
      method: methodOf(match.groups?.['method'] ?? ''),
      path: below(prefixAt(found, match.index), written.path),
    };
  }
}

function prefixAt(blocks: readonly Block[], at: number): string {
  let prefix = '';
  for (const block of blocks) if (block.from < at && at < block.to) prefix = block.prefix;
  return prefix;
}
