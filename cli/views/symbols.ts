import { qualifiedName } from '../../client/protocol/qualified-name.ts';
import { completenessNote, guessNote, pageNote, warningNotes } from './notes.ts';
import { type Answer, pairs, place, type Row, rows, type Views } from './view.ts';

type FoundSymbol = Pick<Answer<'symbols.search'>['results'][number], 'kind' | 'name' | 'container' | 'signature'>;

/** Symbols, searches and references. */
export const symbolsViews: Views = {
  'symbols.search': answer =>
    rows(
      ['where', 'kind', 'name', 'signature'],
      answer.results.flatMap(({ members = [], external = false, ...hit }) => [
        found(hit, external ? hit.module : place(hit.location)),
        ...members.map(member => found(member, place(member.location))),
      ]),
      [...pageNote(answer.results.length, answer), ...warningNotes(answer), ...completenessNote(answer)],
      ['signature'],
    ),
  'symbols.refs': answer =>
    rows(
      ['where', 'kind', 'confidence', 'source', 'in', 'line'],
      answer.references.map(({ location, kind, confidence, source, enclosingSymbol, context }) => [
        place(location),
        kind,
        String(confidence),
        source,
        enclosingSymbol?.name ?? '',
        context.trim(),
      ]),
      [
        ...pageNote(answer.references.length, answer),
        ...guessNote(answer.references),
        ...warningNotes(answer),
        ...completenessNote(answer),
      ],
      ['source', 'confidence', 'in'],
    ),
  'symbols.get': ({ location, name, kind, signature, documentation, visibility, exported, language, id, ...rest }) =>
    pairs([
      ['name', rest.container === '' ? name : `${rest.container}.${name}`],
      [
        'kind',
        rest.external
          ? `${kind} (of a dependency)`
          : `${kind} (${language}, ${visibility}${exported ? ', exported' : ''})`,
      ],
      ['where', rest.external ? rest.module : place(location)],
      ['module', rest.module],
      ['signature', signature],
      ['says', documentation.split('\n')],
      ['source', `${rest.source}, confidence ${rest.confidence}`],
      ['id', id],
    ]),
};

function found({ kind, name, container, signature }: FoundSymbol, where: string): Row {
  return [where, kind, qualifiedName({ container, name }), signature];
}
