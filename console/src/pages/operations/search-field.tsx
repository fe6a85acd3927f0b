import { useEffect, useState } from 'react';
import { SearchInput } from '../../components/search-input.tsx';

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
  return <SearchInput label={label} value={text} onChange={setText} w={310} maw="100%" />;
}
