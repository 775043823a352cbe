import { agreeing, amount } from '../../client/protocol/amount.ts';
import { type Answer, because, pairs, rows, type Views } from './view.ts';

/** Decision records. */
export const decisionsViews: Views = {
  'decisions.list': answer =>
    rows(
      ['id', 'status', 'created', 'where', 'title'],
      answer.decisions.map(({ id, status, createdAt, path, title, supersededBy }) => [
        id,
        supersededBy.length === 0 ? status : `${status} by ${supersededBy.join(', ')}`,
        createdAt.slice(0, 10),
        path,
        title,
      ]),
      notesOf(answer),
      ['where', 'created'],
    ),
  'decisions.get': ({ id, title, status, rawStatus, createdAt, path, affectedModules, sections, ...more }) => {
    const [said = ''] = rawStatus.split('\n');
    const others = more.links.map(({ relation, label, id: other }) => `${relation} ${other ?? label}`);
    return pairs([
      ['id', id],
      ['title', title],
      ['status', said.toLowerCase() === status ? status : `${status}${because(said)}`],
      ['created', `${createdAt.slice(0, 10)} (by the ${more.createdAtSource.replace('-', '’s ')})`],
      ['where', path],
      ['modules', affectedModules.join(', ')],
      ['links', others],
      ['oddities', more.problems.map(({ message }) => message)],
      ...sections
        .filter(({ kind }) => kind !== 'status' && kind !== 'date')
        .map(({ heading, text }) => [heading.toLowerCase(), text.split('\n')] as const),
    ]);
  },
  'decisions.create': ({ id, path, dryRun, content = '' }) =>
    pairs([
      ['id', id],
      ['where', path],
      ['content', content.split('\n')],
      ['written', dryRun ? 'no' : ''],
    ]),
};

function notesOf({ decisions, total, hasMore, folder, unread }: Answer<'decisions.list'>): readonly string[] {
  const odd = decisions.filter(({ problems }) => problems.length > 0).length;
  return [
    ...(total === 0 ? [`Nothing found${folder === null ? '' : `; svc decisions create writes into ${folder}`}`] : []),
    ...(hasMore ? [`${decisions.length} of ${total}; more with --limit or --offset`] : []),
    ...unread.map(({ path, message }) => `${path} ${message}`),
    ...(odd === 0
      ? []
      : [`${amount(odd, 'document')} of these ${agreeing(odd, 'is', 'are')} odd: svc doctor tells how`]),
  ];
}
