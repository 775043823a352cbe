import { amount } from '../../client/protocol/amount.ts';
import { completenessNote } from './notes.ts';
import { pairs, type Views } from './view.ts';

/** What modules are there for. */
export const responsibilitiesViews: Views = {
  'responsibilities.get': answer => {
    const { moduleId, name, summary, capabilities, symbols, source, sources, confidence, exports } = answer;
    const places = sources.map(({ path, line }) => `${path}:${line}`);
    return pairs(
      [
        ['module', name === moduleId ? moduleId : `${moduleId} (${name})`],
        ['summary', summary],
        ['capabilities', capabilities],
        ['key symbols', symbols.map(one => `${one.name}  ${one.file}:${one.line}`)],
        ['exports', exports === 0 ? '' : amount(exports, 'symbol')],
        ['source', `${source}, confidence ${confidence}${places.length === 0 ? '' : ` (${places.join(', ')})`}`],
      ],
      completenessNote({ ...answer, total: symbols.length }),
    );
  },
};
