/** A function by its name, and its lines from the first of its head to its closing brace. */
export interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

const STATEMENT = /^(?:if|for|while|switch|do|try|else|return|class|interface|type|export (?:class|interface|type))\b/;

/**
 * Finds the functions that have more than `most` lines. The code is formatted: the brace that ends a function has the
 * indentation of its head.
 */
export function longFunctions(text: string, most: number): LongFunction[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (!/(?:=>|\)(?:: .*)?) \{$/.test(line)) return [];
    const indent = /^ */.exec(line)?.[0] ?? '';
    const isAtLevel = (one: string) => one.startsWith(indent) && /[^ )}]/.test(one[indent.length] ?? ' ');
    const first = isAtLevel(line) ? at : lines.slice(0, at).findLastIndex(isAtLevel);
    const head = (lines[first] ?? '').trim();
    const last = lines.findIndex((one, index) => index > at && one.startsWith(`${indent}}`));
    const count = last - first + 1;
    const [, name = head] = /([#\w]+)(?: = |: )?(?:async )?(?:<.*>)?\(/.exec(head) ?? [];
    return STATEMENT.test(head) || count <= most ? [] : [{ name, lines: count }];
  });
}
