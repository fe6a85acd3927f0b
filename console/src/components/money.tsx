import { Text } from '@mantine/core';
import { withMinus } from '../format.ts';
import { locale } from '../texts/locale.ts';

/** `"0.04"` -> `$0.04`, or `0,04 $`: an amount with the decimals that the interface gives it. */
export function formatMoney(amount: string): string {
  if (!/^en\b/.test(locale)) return formatAbroad(amount);
  return amount.startsWith('-') ? `−$${amount.slice(1)}` : `$${amount}`;
}

function formatAbroad(amount: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const dollars = Number(amount).toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return withMinus(dollars);
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
