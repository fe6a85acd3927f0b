import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

/** A field for a word by which a list is filtered. */
export function SearchInput({
  label,
  onChange,
  ...props
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
      {...props}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const SETTLED_MS = 300;

/** A search field that calls `onSearch` shortly after the last letter. @param onSearch gets null for all */
export function SearchField({
  label,
  value = '',
  onSearch,
}: {
  readonly label: string;
  /** Initial value, also whenever it changes. */
  readonly value?: string;
  readonly onSearch: (text: string | null) => void;
}) {
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    // Not for a value that this field reported: letters typed since would be lost.
    if (text.trim() !== value) setText(value);
  }
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim() === '' ? null : text.trim()), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return <SearchInput label={label} value={text} onChange={setText} w={520} maw="100%" />;
}
