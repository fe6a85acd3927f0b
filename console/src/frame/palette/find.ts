import type { IconSearch } from '@tabler/icons-react';
import type { frameTexts } from '../../texts/frame.ts';

/** Something that the palette offers. */
export interface Find {
  /** Different from all others. */
  readonly id: string;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly more?: string;
  readonly act: () => void;
}

/** Finds of one kind, best first. */
export interface FindGroup {
  readonly name: keyof typeof frameTexts.palette.groups;
  readonly icon: typeof IconSearch;
  readonly finds: readonly Find[];
}

/** Whether texts have words that begin as those of a search do, in any order and case. */
export function hasAllWords(search: string, ...texts: readonly string[]): boolean {
  const words = wordsOf(texts.join(' '));
  return wordsOf(search).every((start) => words.some((word) => word.startsWith(start)));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
