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
    const message = isNew
      ? `requests have to have ${shown(now)} now`
      : `${shown([broken])} is no longer enough: ${shown(now)} is asked for`;
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
  return asked.every(({ name, scopes }) => {
    const own = had.find(one => one.name === name);
    return own !== undefined && scopes.every(scope => own.scopes.includes(scope));
  });
}

function shown(security: readonly Alternative[]): string {
  return security.map(one => one.map(schemeText).join(' and ') || 'nothing').join(' or ');
}

function schemeText({ name, scopes }: ApiScheme): string {
  return scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`;
}
