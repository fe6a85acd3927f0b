import { NumberInput, Progress, type ProgressProps } from '@mantine/core';

const NEARLY = 80;

/** A field for an amount of dollars. */
export const DollarInput = NumberInput.withProps({ prefix: '$', min: 0, decimalScale: 6, hideControls: true });

/** How much of a limit is used. */
export function LimitBar({
  used,
  limit,
  label,
  ...look
}: Omit<ProgressProps, 'value'> & { readonly used: number; readonly limit: number; readonly label: string }) {
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return <Progress {...look} value={percent} color={percent >= NEARLY ? 'red' : 'safelight'} aria-label={label} />;
}
