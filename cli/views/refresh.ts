import { amount } from '../../client/protocol/amount.ts';
import { pairs, type Views } from './view.ts';

export const refreshViews: Views = {
  'refresh.run': ({ status, jobId, changes, problems = [], duration = '' }) => {
    const isLeft = changes === undefined;
    return pairs(
      [
        ['status', status],
        ['modules', told(changes?.modules)],
        ['ownership', told(changes?.ownership)],
        ['hotspots', told(changes?.hotspots)],
        ['responsibilities', told(changes?.responsibilities)],
        ['duration', duration],
        ['job', isLeft ? jobId : ''],
      ],
      [...problems, ...(isLeft ? [`svc job ${jobId} --wait  # shows how far it is`] : [])],
    );
  },
};

function told(changes: number | undefined): string {
  return changes === undefined ? '' : amount(changes, 'change');
}
