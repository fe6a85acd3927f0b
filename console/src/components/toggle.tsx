import { Checkbox, Switch } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** What a list shows besides. */
export function Toggle({ isOn, onChange, ...words }: Props) {
  return <Switch {...words} checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}

/** What a form agrees to. */
export function Agreement({ isOn, onChange, ...words }: Props) {
  return <Checkbox {...words} checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
}
