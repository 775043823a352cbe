/** A name behind that of what it stands in, which may be absent or empty: `Config.parse`. */
export function qualifiedName({ container, name }: { readonly container?: string; readonly name: string }): string {
  return [container, name].filter(Boolean).join('.');
}
