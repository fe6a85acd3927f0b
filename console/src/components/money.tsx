import { Text } from '@mantine/core';
import { formatMoney } from '../format.ts';

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
