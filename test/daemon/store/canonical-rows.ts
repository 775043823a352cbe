import { LinkBody } from '../../../daemon/store/link-body.ts';
import { Database } from '../../../daemon/store/sqlite.ts';

/** Everything that the newest snapshot of a repository holds, without row ids, sequences and times: equal trees give equal rows. */
export function canonicalRows(file: string, key: string): unknown {
  const database = new Database(file, { readonly: true });
  try {
    const all = <Row>(sql: string, ...parameters: unknown[]): Row[] =>
      database.prepare<unknown[], Row>(sql).all(...parameters);
    const repo = all<{ id: number }>('SELECT id FROM repo WHERE key = ?', key)[0]!.id;
    const symbols = new Map(
      all<{ id: number; hash: Buffer }>('SELECT * FROM symbol').map(row => [row.id, row.hash.toString('hex')]),
    );
    const names = new Map(all<{ id: number; text: string }>('SELECT * FROM name').map(row => [row.id, row.text]));
    const links = all<{ path: string; body: Buffer; is_test: number; language: string }>(
      `SELECT path, link_body.body AS body, is_test, language FROM link JOIN document ON document.id = document
       JOIN link_body ON link_body.id = link.body WHERE repo = ? AND to_seq = 2147483647 ORDER BY path`,
      repo,
    ).map(row => ({ ...row, body: plain(new LinkBody(row.body), symbols, names) }));
    const hints = (['definition', 'post', 'bearer', 'candidate'] as const).map(table =>
      all<{ key: number; path: string }>(
        `SELECT key, path ${table === 'candidate' ? ', uses' : ''} FROM ${table} JOIN document ON document.id = document WHERE repo = ?`,
        repo,
      )
        .map(row =>
          JSON.stringify({ ...row, key: (table === 'definition' || table === 'post' ? symbols : names).get(row.key) }),
        )
        .sort(),
    );
    return {
      entries: all(
        `SELECT path, hash, dialect, version, scope, skip FROM entry JOIN document ON document.id = document
         WHERE repo = ? AND to_seq = 2147483647 ORDER BY path`,
        repo,
      ),
      links,
      hints,
      questions: all(
        'SELECT key, path FROM question JOIN document ON document.id = document WHERE repo = ? ORDER BY key, path',
        repo,
      ),
      counts: all<{ counts: string }>('SELECT counts FROM snapshot WHERE repo = ? ORDER BY seq DESC LIMIT 1', repo),
    };
  } finally {
    database.close();
  }
}

function plain(body: LinkBody, symbols: ReadonlyMap<number, string>, names: ReadonlyMap<number, string>): unknown {
  const definitions = Array.from({ length: body.definitionCount }, (_, index) => ({
    symbol: symbols.get(body.symbolAt(index)),
    name: names.get(body.nameAt(index)),
    traits: body.traitsAt(index),
    slots: body.slotsOf(index),
    primary: body.primarySlotAt(index),
  }));
  const targets = [...body.targets()].map(row => [symbols.get(row), ...body.occurrencesOf(row)]);
  const unresolved = [...body.unresolvedNames()].map(row => [names.get(row), ...body.unresolved(row)]);
  const imports = Array.from({ length: body.importCount }, (_, index) => {
    const one = body.importAt(index);
    return one && { ...one, symbol: symbols.get(one.symbol) };
  });
  const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return {
    definitions: definitions.sort(byText),
    targets: targets.sort(byText),
    unresolved: unresolved.sort(byText),
    imports,
  };
}
