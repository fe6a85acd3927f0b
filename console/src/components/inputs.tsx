import {
  Checkbox,
  NumberInput,
  Progress,
  type ProgressProps,
  SegmentedControl,
  type SegmentedControlProps,
  Switch,
} from '@mantine/core';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly value: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A switch for an option of a list. */
export function Toggle({ value, onChange, ...words }: Props) {
  return <Switch {...words} checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

/** A checkbox for consent in a form. */
export function Agreement({ value, onChange, ...words }: Props) {
  return <Checkbox {...words} checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

/** A choice among a few labels, one of which is always chosen. */
export function Segments<T extends string>({
  label,
  words,
  ...props
}: Omit<SegmentedControlProps<T>, 'data'> & {
  readonly label: string;
  /** Labels by value. */
  readonly words: Readonly<Record<T, string>>;
}) {
  const data = Object.entries<string>(words).map(([value, word]) => ({ value: value as T, label: word }));
  return <SegmentedControl {...props} aria-label={label} data={data} style={{ flexWrap: 'wrap' }} />;
}

const NEARLY = 80;

/** A field for an amount of dollars. */
export const DollarInput = NumberInput.withProps({ prefix: '$', min: 0, decimalScale: 6, hideControls: true });

/** A bar with the used part of a limit. */
export function LimitBar({
  used,
  limit,
  label,
  ...props
}: Omit<ProgressProps, 'value'> & { readonly used: number; readonly limit: number; readonly label: string }) {
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return <Progress {...props} value={percent} color={percent >= NEARLY ? 'red' : 'safelight'} aria-label={label} />;
}
