import type { Reader } from '../reader.ts';
import { literals } from '../text/literals.ts';
import { type Found, inCode, type Source } from '../text/source.ts';
import { methodOf } from './forms.ts';
import { normalPath } from './written-path.ts';

/** Where Play has its routes: `conf/routes`, `conf/shop.routes`. */
export const placesOfPlay = /(?:^|\/)conf\/(?:[\w-]{1,100}\.)?routes$/;

export const playReader: Reader = {
  lexis: { lineComments: ['#'], blockComments: [], strings: [] },
  marks: literals(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  detectors: [lines],
};

/** `GET /carts/:id controllers.Carts.show(id: Long)`. */
function* lines(source: Source): Iterable<Found> {
  for (const match of inCode(
    source,
    /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,60}(\/\S{0,300})[ \t]{1,100}@?[A-Za-z_][\w.]{2,300}/gm,
  )) {
    const path = normalPath(match[2]!.replace(/\$\w{1,60}<[^<>]{0,100}>/g, ':part'))?.path;
    if (path !== undefined) yield { kind: 'route', at: match.index, method: methodOf(match[1]!), path };
  }
}
