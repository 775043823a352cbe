import type { OptionEntry, OptionValue, SchemaOption } from '../../../model/proto-schema.ts';

/**
 * The routes that a method's `google.api.http` gives it, in its order: `GET /v1/carts/{id}`. `custom` names its method
 * itself, and `*` for any. Additional bindings have none of their own, as the option's documentation has it.
 */
export function routesIn(options: readonly SchemaOption[]): readonly string[] {
  const routes = options.flatMap(({ name, value }) => {
    if (isHttp(name)) return routesOfRule(value, true);
    const within = /^\(\.?google\.api\.http\)\.(.+)$/.exec(name)?.[1];
    return within === undefined ? [] : routesOfRule({ kind: 'message', entries: [{ name: within, value }] }, true);
  });
  return [...new Set(routes)];
}

function isHttp(name: string): boolean {
  return name === '(google.api.http)' || name === '(.google.api.http)';
}

const methods = new Set(['get', 'put', 'post', 'delete', 'patch']);

function routesOfRule(rule: OptionValue, isOutermost: boolean): readonly string[] {
  if (rule.kind === 'list') return rule.values.flatMap(one => routesOfRule(one, isOutermost));
  if (rule.kind !== 'message') return [];
  return rule.entries.flatMap(({ name, value }) => {
    if (methods.has(name) && value.kind === 'string') return [`${name.toUpperCase()} ${value.text}`];
    if (name === 'custom' && value.kind === 'message') return customRoute(value.entries);
    return name === 'additional_bindings' && isOutermost ? routesOfRule(value, false) : [];
  });
}

function customRoute(entries: readonly OptionEntry[]): readonly string[] {
  const textOf = (name: string): string => {
    const value = entries.findLast(entry => entry.name === name)?.value;
    return value?.kind === 'string' ? value.text : '';
  };
  const path = textOf('path');
  return path === '' ? [] : [`${textOf('kind').toUpperCase() || '*'} ${path}`];
}
