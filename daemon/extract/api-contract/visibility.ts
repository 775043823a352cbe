import type { ContractOutline, ContractVisibility } from '../../model/contract.ts';
export function visibilityOf(
  _path: string,
  _outline: ContractOutline,
  _around: { readonly isPublished: boolean },
): { readonly visibility: ContractVisibility; readonly reason: string } {
  return { visibility: 'unknown', reason: 'nothing tells' };
}
