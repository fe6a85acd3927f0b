import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

/** A field for a word that a list is narrowed by. */
export function SearchInput({
  label,
  onChange,
  ...look
}: Omit<TextInputProps, 'label' | 'onChange'> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      maxLength={200}
      {...look}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
