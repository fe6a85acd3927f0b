import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';

/** A choice among a few words, one of which is always chosen. */
export function Segments<T extends string>({
  label,
  words,
  ...look
}: Omit<SegmentedControlProps<T>, 'data'> & {
  readonly label: string;
  /** By the value that each stands for. */
  readonly words: Readonly<Record<T, string>>;
}) {
  const data = Object.entries<string>(words).map(([value, word]) => ({ value: value as T, label: word }));
  return <SegmentedControl {...look} aria-label={label} data={data} />;
}
