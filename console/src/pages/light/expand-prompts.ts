const CHOICE = /\{([^{}]*\|[^{}]*)\}/;

/**
 * Returns the prompts of a text: one a line, and one for each combination of its choices, such as `{dawn|dusk}`. Braces
 * without a bar stay as they are.
 * @param most stops after one more than this, so that a long template does not block the page
 */
export function expandPrompts(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  const left = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .reverse();
  for (let line = left.pop(); line !== undefined && found.size <= most; line = left.pop()) {
    const [whole = '', choices] = CHOICE.exec(line) ?? [];
    if (choices === undefined) found.add(line.replace(/\s+/g, ' '));
    else for (const choice of choices.split('|').reverse()) left.push(line.replace(whole, () => choice.trim()).trim());
  }
  return [...found].filter((prompt) => prompt !== '');
}
