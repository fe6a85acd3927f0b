import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

const SETTLED_MS = 300;

/** A search that begins shortly after the last letter. @param onSearch gets null for all */
export function SearchField({
  label,
  onSearch,
}: {
  readonly label: string;
  readonly onSearch: (text: string | null) => void;
}) {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.trim() === '' ? null : text.trim()), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text, onSearch]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.currentTarget.value)}
      w={230}
      maw="100%"
    />
  );
}
