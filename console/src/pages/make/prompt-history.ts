import { changeKeptList, type KeptList, useKeptList } from '../../api/kept-list.ts';

const MOST = 50;
const list: KeptList<string> = { name: 'prompts', isItem: (value) => typeof value === 'string' };

/** The prompts ordered with the key in use, the latest first. */
export function usePromptHistory(): readonly string[] {
  return useKeptList(list);
}

export function rememberPrompt(prompt: string): void {
  const text = prompt.trim();
  if (text !== '') changeKeptList(list, (prompts) => [text, ...prompts.filter((one) => one !== text)].slice(0, MOST));
}

/**
 * Returns the prompt that an arrow key selects; null if the key moves within the text. It selects an earlier one if the
 * field is empty or shows an unchanged one.
 */
export function stepThroughPrompts(prompts: readonly string[], shown: string, key: string): string | null {
  const place = shown === '' ? -1 : prompts.indexOf(shown);
  if (shown !== '' && place < 0) return null;
  if (key === 'ArrowUp') return prompts[place + 1] ?? null;
  if (key === 'ArrowDown' && place >= 0) return prompts[place - 1] ?? '';
  return null;
}
