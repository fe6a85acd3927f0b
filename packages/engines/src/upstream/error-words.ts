import type { JsonValue } from '@darkroom-service/contract/json';

/** What an upstream's message is about, if no code that it documents tells. */
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
/** A file inside an order is no text that a message would quote. */
const LONGEST_TEXT = 100_000;
const MOST_TEXTS = 1_000;

/**
 * Tells what a message is about; null if it does not say. Words that the order itself contains do not count: the
 * upstream may quote them.
 */
export function subjectOf(message: string, written: readonly string[]): Subject | null {
  const words = wordsIn(message);
  const quoted = written.map(wordsIn);
  for (const [subject, pattern] of SUBJECTS)
    for (const [found] of words.matchAll(pattern)) if (!quoted.some((text) => text.includes(found))) return subject;
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
