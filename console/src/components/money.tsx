import { Text } from '@mantine/core';

/** `"0.04"` -> `$0.04`: an amount as the interface spells it. */
export function formatMoney(amount: string): string {
  return amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`;
}

export function Money({ amount }: { readonly amount: string }) {
  return <span className="figures">{formatMoney(amount)}</span>;
}

/** An amount, marked if it is a loss. */
export function Margin({ amount }: { readonly amount: string }) {
  return (
    <Text
      component="span"
      inherit
      className="figures"
      {...(amount.startsWith('-') ? { c: 'var(--mantine-color-error)' } : {})}
    >
      {formatMoney(amount)}
    </Text>
  );
}
