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

/** What a list shows besides. */
export function Toggle({ value, onChange, ...words }: Props) {
  return <Switch {...words} checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

/** What a form agrees to. */
export function Agreement({ value, onChange, ...words }: Props) {
  return <Checkbox {...words} checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

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
