/** `"0.04"` -> `$0.04`: an amount as the interface spells it. */
export function formatMoney(amount: string): string {
  return amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`;
}

export function Money({ amount }: { readonly amount: string }) {
  return <span className="figures">{formatMoney(amount)}</span>;
}
