import type { ApiOperation, ApiScheme } from '../../../../model/openapi-schema.ts';
import type { Put } from './found.ts';

type Alternative = readonly ApiScheme[];

/** Who had what was asked for has to have what is asked for now. */
export function compareSecurity(put: Put, was: ApiOperation, is: ApiOperation): void {
  const [old, now] = [alternatives(was), alternatives(is)];
  const at = { before: was.securityLine, after: is.securityLine };
  const broken = old.find(one => !now.some(other => isEnough(one, other)));
  const isRelaxed = now.some(one => !old.some(other => isEnough(one, other)));
  if (broken !== undefined) {
    const isNew = broken.length === 0;
    // Of the same name the definitions tell what differs.
    const says = now.some(one => shown([one]) === shown([broken])) ? 'ways' : 'names';
    const message = isNew
      ? `requests have to have ${shown(now)} now`
      : `${shown([broken], says)} is no longer enough: ${shown(now, says)} is asked for`;
    put({
      id: isNew ? 'security-added' : 'security-changed',
      severity: 'breaking',
      compatibility: ['request'],
      message,
      ...at,
    });
  } else if (isRelaxed) {
    const message = `${shown(now)} is enough now`;
    put({ id: 'security-relaxed', severity: 'safe', compatibility: [], message, ...at });
  }
}

/** Each is held against each. */
const mostAlternatives = 50;

/** No requirement at all is one that everybody has. */
function alternatives({ security }: ApiOperation): readonly Alternative[] {
  return security.length === 0 ? [[]] : security.slice(0, mostAlternatives);
}

function isEnough(had: Alternative, asked: Alternative): boolean {
  return asked.every(scheme => had.some(one => isSame(one, scheme) && scheme.scopes.every(has(one.scopes))));
}

/** Whatever the one has clients do is done for the other; the name counts alone where it is not known what one of them says. */
function isSame(had: ApiScheme, asked: ApiScheme): boolean {
  if (had.ways.length === 0 || asked.ways.length === 0) return had.name === asked.name;
  return had.ways.every(has(asked.ways));
}

function has(texts: readonly string[]): (text: string) => boolean {
  return text => texts.includes(text);
}

type Telling = 'names' | 'ways';

function shown(security: readonly Alternative[], says: Telling = 'names'): string {
  return security.map(one => one.map(scheme => schemeText(scheme, says)).join(' and ') || 'nothing').join(' or ');
}

function schemeText({ name, scopes, ways }: ApiScheme, says: Telling): string {
  const told = [...(says === 'ways' ? [ways.join('; ')] : []), scopes.join(', ')].filter(text => text !== '');
  return told.length === 0 ? name : `${name} (${told.join('; ')})`;
}
