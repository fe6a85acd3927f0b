/** The kinds of a task's ledger entries, in the order in which they are entered. */
export function kindsInOrder(entries: readonly { readonly kind: string }[]): string[] {
  const order = ['hold', 'release', 'charge'];
  return entries.map(({ kind }) => kind).sort((one, other) => order.indexOf(one) - order.indexOf(other));
}
