import type { JsonValue } from '@darkroom-service/contract';
import { codesIn } from './reasons.ts';

/** The subject of an upstream's message that has no documented code. */
export type Subject = 'content_policy' | 'billing' | 'auth' | 'model';

/** Over words in small letters with one blank between them. The first that is found counts. */
const SUBJECTS: readonly (readonly [Subject, RegExp])[] = [
  [
    'content_policy',
    /\b(?:moderated|nsfw|inappropriate|responsible ai|risk control|(?:by|fail\w*|content|our|the|after) moderation|moderation (?:system|filter|check|block\w*|refus\w*|fail\w*|polic\w*|reasons?)|(?:content|input|output|text|image|prompt|usage|community) (?:polic\w+|filter\w*|guidelines?|violation|moderation|audit)|(?:acceptable use|use|usage|safety|our|platform) polic\w+|polic\w+ violation|violat\w* (?:\w+ ){0,4}(?:polic\w+|guidelines?|terms|rules)|safety (?:system|filter\w*|check\w*|polic\w+|violation|reasons?|guidelines?)|(?:for|of) safety|sensitive (?:content|words?|information|material|topics?)|(?:is|as|be|contains?) sensitive|prohibited (?:content|words?|use|by|material)|flagged (?:as|for|by))\b/g,
  ],
  [
    'billing',
    /\b(?:(?:insufficient|not enough|not have enough|no|out of|too few|depleted|exhausted) (?:\w+ ){0,2}(?:credits?|balance|funds|quota)|(?:credits?|balance|funds) (?:\w+ ){0,3}(?:insufficient|exhausted|depleted|too low|not enough|run out|used up)|payment (?:is )?(?:required|overdue)|billing (?:hard )?limit|spending limit|account (?:\w+ ){0,3}(?:overdue|in arrears|locked))\b/g,
  ],
  [
    'auth',
    /\b(?:(?:incorrect|invalid|wrong|missing|expired|revoked|unknown|malformed) (?:\w+ ){0,2}(?:api ?key|token|credentials?|account)|(?:api ?key|token|credentials?) (?:\w+ ){0,3}(?:incorrect|invalid|wrong|missing|expired|revoked|unknown|not (?:valid|found|exist))|unauthori[sz]ed|unauthenticated|authentication (?:failed|error|required))\b/g,
  ],
  [
    'model',
    /\b(?:model (?:\w+ ){0,6}?(?:unavailable|(?:is|was|are|does|do|could|can) ?not (?:be |currently )?(?:available|found|exist|enabled|open|valid|supported|accessible)|deprecated|retired|discontinued|no longer|not found|not exist|not available|unknown|invalid|unsupported)|(?:no such|unknown|invalid|unsupported|unavailable|deprecated|retired)(?: \w+){0,2} model)\b/g,
  ],
];
const LONGEST_MESSAGE = 10_000;
/** Shorter texts, such as a ratio, may be part of any message. */
const LEAST_QUOTED = 3;
/** A file inside an order is no text that a message would quote. */
const LONGEST_TEXT = 100_000;
const MOST_TEXTS = 1_000;

/**
 * Tells what a message is about; null if it does not say. Texts of the order do not count, whole or cut off: the
 * upstream may quote them.
 */
export function subjectOf(message: string, written: readonly string[]): Subject | null {
  const quoted = written.map(wordsIn).filter((text) => text.length >= LEAST_QUOTED);
  let words = ` ${wordsIn(message.slice(0, LONGEST_MESSAGE))} `;
  for (const text of quoted.toSorted((one, other) => other.length - one.length))
    words = words.replaceAll(` ${text} `, ' x ');
  for (const [subject, pattern] of SUBJECTS)
    for (const match of words.matchAll(pattern)) if (!quoted.some((text) => isQuote(match, text))) return subject;
  return null;
}

/** A text that the upstream cut off shows by the word before or behind that it is the order's. */
function isQuote({ 0: found, index, input }: RegExpExecArray, text: string): boolean {
  const [before = ''] = /\S+ $/.exec(input.slice(0, index)) ?? [];
  const [behind = ''] = /^ \S+/.exec(input.slice(index + found.length)) ?? [];
  if (behind === '' && text.startsWith(found)) return true;
  return (before !== '' && text.includes(before + found)) || (behind !== '' && text.includes(found + behind));
}

/** Tells what an error is about by the words of its codes, which the vendor may not document, or of its reason. */
export function subjectOfError(
  { body, ordered }: { readonly body: JsonValue | undefined; readonly ordered?: (() => readonly string[]) | undefined },
  reason: string,
): Subject | null {
  const written = ordered?.() ?? [];
  for (const words of [...codesIn(body), reason]) {
    const subject = subjectOf(words, written);
    if (subject !== null) return subject;
  }
  return null;
}

/** Returns the texts in what was ordered. */
export function textsIn(ordered: JsonValue | FormData | object | undefined): string[] {
  const texts: string[] = [];
  const left: unknown[] = [ordered instanceof FormData ? [...ordered.values()] : ordered];
  for (let value = left.pop(); value !== undefined && texts.length < MOST_TEXTS; value = left.pop()) {
    if (typeof value === 'string' && value.length <= LONGEST_TEXT) texts.push(value);
    else if (typeof value === 'object' && value !== null && !(value instanceof Blob))
      left.push(...Object.values(value));
  }
  return texts;
}

function wordsIn(text: string): string {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
