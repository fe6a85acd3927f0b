import type { JsonValue } from '@darkroom-service/contract';
import type { EngineErrorClass } from '../engine.ts';
import { codesIn } from './reasons.ts';

/**
 * The subject of an upstream's message that has no documented code. `no_quota`: the account has no quota, so waiting
 * does not help. `day_quota`: a quota of a day or longer is used up.
 */
export type Subject = 'content_policy' | 'no_quota' | 'billing' | 'day_quota' | 'auth' | 'model';

const anyOf = (...phrases: readonly string[]) => new RegExp(`(?<![a-z0-9])(?:${phrases.join('|')})(?![a-z0-9])`, 'g');
/** Messages that mention credits because nothing was charged. */
const NOT_CHARGED =
  '(?! (?:(?:were|was|are|is|have|has|had|will|been|be|not) )*(?:charged|deducted|used|consumed|spent|refunded|returned|taken|lost|required|needed))';
const MEANS = `(?:credits?|balances?|funds?)${NOT_CHARGED}`;
const WITHHELD = '(?:blocked|rejected|refused|denied|filtered|flagged|withheld|removed|declined|stopped)';
const RULES =
  '(?:polic(?:y|ies)|guidelines?|terms|rules|standards|practices?|principles|laws?|regulations?|code of conduct)';
const PEOPLE = '(?:person|persons|people|individuals?|figures?|faces?|minors?|celebrit(?:y|ies))';

/** Patterns over lower-case words with one space between them. The first match counts. */
const SUBJECTS: readonly (readonly [Subject, RegExp])[] = [
  [
    'content_policy',
    anyOf(
      'moderated|nsfw|not safe for work|responsible ai|risk control|risk detection|content exists risk',
      '(?:by|fail\\w*|content|our|the|after|advanced|automated) moderation',
      'moderation (?:systems?|filters?|checks?|block\\w*|refus\\w*|reject\\w*|fail\\w*|flag\\w*|polic\\w*|reasons?|guidelines?|rules|violations?)',
      '(?:content|input|output|text|image|prompt|video|audio|usage|community|service|safety) (?:polic\\w+|filter\\w*|guidelines?|violations?|moderation|audits?|restrictions?)',
      '(?:acceptable use|use|usage|safety|our|platform|company|provider) polic\\w+',
      'polic(?:y|ies) (?:violations?|restrictions?|reasons?)',
      `violat\\w* (?:\\w+ ){0,5}${RULES}`,
      `(?:against|goes against|not comply with|breach\\w* of) (?:\\w+ ){0,4}(?:polic(?:y|ies)|guidelines?)`,
      'data inspection|content inspection|content (?:management|safety|security) polic\\w+',
      'safety (?:systems?|filter\\w*|check\\w*|polic\\w+|violations?|reasons?|guidelines?|standards|concerns?|classifiers?|blocks?|restrictions?)',
      `${WITHHELD} (?:out )?(?:by|for|as|due to|because of|under|over) (?:\\w+ ){0,3}(?:safety|moderation|polic(?:y|ies)|guidelines?|contents?|security|sensitive|harmful|unsafe|restrictions?|filters?|copyright\\w*|violations?|explicit|inappropriate)`,
      '(?:for|of|by|to) safety',
      'inappropriate (?:contents?|materials?|images?|language|words?|text)|(?:as|be|is|contains?|potentially) inappropriate',
      '(?:harmful|unsafe|disallowed|objectionable|offensive|illegal|forbidden|explicit|adult|graphic|violent|banned|blocked) (?:contents?|materials?|prompts?|words?|generations?)',
      '(?:potentially|deemed|considered|as|is|be) (?:harmful|unsafe|explicit)',
      'contents? (?:\\w+ ){0,2}(?:not allowed|not permitted|disallowed|blocked|flagged|filtered|rejected|prohibited|withheld|violations?)',
      'sensitive (?:contents?|words?|information|materials?|topics?)|(?:is|as|be|contains?|potentially|too) sensitive',
      'prohibited (?:contents?|words?|uses?|by|materials?)',
      'flagged (?:as|for|by)|(?:was|were|been|is|are) flagged',
      '(?:audit|review|inspection) (?:\\w+ ){0,1}(?:illegal|not pass\\w*|reject\\w*)|not pass(?:ed)? (?:\\w+ ){0,2}(?:audit|review|inspection)',
      `(?:may|might|could|appears? to|seems? to|detected|recogni[sz]\\w+|identified|against) (?:\\w+ ){0,4}(?:real|identifiable|recogni[sz]able|public|famous|prominent) ${PEOPLE}`,
      '(?:copyright|copyrighted|trademark\\w*|intellectual property|derivative works|third party) (?:\\w+ ){0,1}(?:contents?|materials?|filters?|restrictions?|violations?|violated|infring\\w*|polic(?:y|ies)|providers?|likeness)',
      '(?:contain\\w*|depict\\w*|detected|involv\\w*) (?:\\w+ ){0,2}(?:nudity|sexual\\w*|violence|gore|hate speech|pornograph\\w*)',
      '敏感|违规|违禁|审核(?:未|不)通过',
    ),
  ],
  [
    'no_quota',
    anyOf(
      'limit (?:is |of |to )?0(?! \\d+(?: |$))|quota (?:is |of |limit |limit is )?(?:0|zero)(?! \\d+(?: |$))|zero quota',
      '(?:does|do|doesn t|don t|not) (?:not )?have (?:a |any )?free (?:quota|tier|quota tier)|no free (?:quota|tier)',
      'free (?:tier|plan|quota)s? (?:\\w+ ){0,6}(?:not available|unavailable|not supported|not included)|not (?:available|supported|included) (?:\\w+ ){0,3}free (?:tier|plan)',
    ),
  ],
  [
    'billing',
    anyOf(
      `(?:insufficient|not enough|not have enough|don t have enough|no|out of|too few|too little|depleted|exhausted|lacks?|used all|used up|without) (?:\\w+ ){0,3}${MEANS}`,
      '(?:credits?|balances?|funds?) (?:\\w+ ){0,4}(?:insufficient|exhausted|depleted|too low|not enough|run out|ran out|used up|empty|negative|not sufficient)',
      'requires? more credits|can only afford|more credits (?:are )?(?:required|needed)|insufficient quota|(?:not enough|out of|insufficient) (?:\\w+ ){0,2}quota',
      'payments? (?:is |are |has |have )?(?:required|overdue|failed|declined|past due)|payment method (?:is |has been )?(?:required|missing|declined)',
      'billing (?:hard )?limits?|billing (?:is |has )?(?:not (?:been )?(?:enabled|active|set up|configured)|disabled|required|inactive)|billing to be enabled|enable billing|billed users|paid (?:plan|tier|account|subscription)s? (?:is |only |users )?(?:only|required)',
      'spend(?:ing)? (?:limits?|caps?)|credit limit (?:reached|exceeded)|budget (?:limit )?(?:exceeded|exhausted)',
      'account (?:\\w+ ){0,3}(?:overdue|in arrears|arrears|past due|locked|not active|deactivated for)|overdue (?:balances?|bills?|payments?|invoices?|account)|arrearage|in arrears|user is locked|good standing',
      'free (?:allocated |trial )?(?:tier|quota|trial|credits?)s? (?:\\w+ ){0,5}(?:exhausted|exceeded|used up|expired|ended|over)',
      '余额不足|欠费|额度不足|额度已用完',
    ),
  ],
  ['day_quota', anyOf('(?:daily|weekly|monthly|per day|per week|per month|a day|24 hours|24h|24 h|today|rpd|ipd|tpd)')],
  [
    'billing',
    anyOf(
      'exhausted (?:\\w+ ){0,2}quota|no (?:\\w+ ){0,2}quota|quota (?:\\w+ ){0,2}(?:insufficient|exhausted|depleted|used up|not enough)',
    ),
  ],
  [
    'auth',
    anyOf(
      '(?:incorrect|invalid|wrong|missing|expired|revoked|unknown|malformed) (?:\\w+ ){0,2}(?:api ?keys?|tokens?|credentials?|account)',
      '(?:api ?keys?|tokens?|credentials?) (?:\\w+ ){0,3}(?:incorrect|invalid|wrong|missing|expired|revoked|unknown|not (?:valid|found|exist|exists))',
      'unauthori[sz]ed|unauthenticated|authentication (?:failed|error|required)',
    ),
  ],
  [
    'model',
    anyOf(
      'models? (?:\\w+ ){0,6}?(?:unavailable|(?:is|was|are|does|do|could|can) ?not (?:be |currently )?(?:available|found|exist|enabled|open|valid|supported|accessible)|deprecated|retired|discontinued|no longer|not found|not exist|not available|unknown|invalid|unsupported)',
      '(?:no such|unknown|invalid|unsupported|unavailable|deprecated|retired)(?: \\w+){0,2} model',
    ),
  ],
];
/** Phrases that are no refusal of content: faults of a content check, and names or values of a setting. */
const NOT_MEANT = anyOf(
  '(?:safety|moderation|content|nsfw|polic(?:y|ies)|prompt)(?: (?:safety|content|moderation|polic(?:y|ies)|filter\\w*|checker|checks?|service|system|server|api|model|classifier|detector|review|endpoint|request|step|stage))* (?:(?:is|was|are|has|temporarily|currently) )*(?:timed out|time ?out|unavailable|unreachable|overloaded|down|crashed|(?:could|can) ?not be (?:loaded|reached|started|contacted|completed|run)|failed to (?:load|start|respond|run|initiali[sz]e|complete)|(?:internal|server|service|network) error|out of memory)',
  '(?:invalid|unknown|unexpected|unsupported|unrecogni[sz]ed|missing) (?:(?:value|field|parameter|param|argument|option|property|key|setting|name|at|for|of|in|the) )*(?:safety|moderation|nsfw|content|sensitive|image|text|video|audio|prompt)(?: (?:tolerance|settings?|filter\\w*|checker|check|level|threshold|polic(?:y|ies)|moderation|mode|enabled?))*',
  '(?:enable |disable )?(?:safety|moderation|nsfw|content|image|text)(?: (?:tolerance|settings?|filter\\w*|checker|check|level|threshold|polic(?:y|ies)|moderation|mode))* (?:must|should|has to|needs to|expects|accepts|can only be|is not (?:a |one of )?(?:valid|supported|permitted by)|is required|is deprecated)',
);
const OF_REFUSALS: readonly Subject[] = ['content_policy', 'billing', 'auth', 'model'];
const LONGEST_MESSAGE = 10_000;
/** Minimum characters of a quotation: shorter texts, such as a ratio, may be part of any message. */
const LEAST_QUOTED = 3;
/** Maximum characters of a text that a message may quote; files inside an order are longer. */
const LONGEST_TEXT = 100_000;
const MOST_TEXTS = 1_000;

/**
 * Returns the subject of a message; null if it names none. Texts of the order, whole or cut, do not count: the upstream
 * may quote them.
 */
export function subjectOf(
  message: string,
  written: readonly string[],
  among: readonly Subject[] = OF_REFUSALS,
): Subject | null {
  const quoted = written.map(wordsIn).filter((text) => text.length >= LEAST_QUOTED);
  let words = ` ${wordsIn(message.slice(0, LONGEST_MESSAGE))} `;
  for (const text of quoted.toSorted((one, other) => other.length - one.length))
    words = words.replaceAll(` ${text} `, ' x ');
  words = words.replaceAll(NOT_MEANT, 'x');
  for (const [subject, pattern] of SUBJECTS) {
    if (!among.includes(subject)) continue;
    for (const match of words.matchAll(pattern)) if (!quoted.some((text) => isQuote(match, text))) return subject;
  }
  return null;
}

/** Tells whether a match is part of a quoted text: the word before or after it shows that, even if the text was cut. */
function isQuote({ 0: found, index, input }: RegExpExecArray, text: string): boolean {
  const [before = ''] = /\S+ $/.exec(input.slice(0, index)) ?? [];
  const [behind = ''] = /^ \S+/.exec(input.slice(index + found.length)) ?? [];
  if (behind === '' && text.startsWith(found)) return true;
  return (before !== '' && text.includes(before + found)) || (behind !== '' && text.includes(found + behind));
}

/** Returns an error's subject by the words of its codes, which the vendor may not document, or of its reason. */
export function subjectOfError(
  { body, ordered }: { readonly body: JsonValue | undefined; readonly ordered?: (() => readonly string[]) | undefined },
  reason: string,
  among: readonly Subject[] = OF_REFUSALS,
): Subject | null {
  const written = ordered?.() ?? [];
  for (const words of [...codesIn(body), reason]) {
    const subject = subjectOf(words, written, among);
    if (subject !== null) return subject;
  }
  return null;
}

/**
 * Returns the class of a job that failed: that of its code, unless the code only means that the order was refused; then
 * its words tell.
 * @param written the texts of the order
 */
export function classOfFailure(
  { class: known, message }: { readonly class?: EngineErrorClass | undefined; readonly message: string },
  written: readonly string[],
): EngineErrorClass {
  if (known !== undefined && known !== 'invalid_input') return known;
  const subject = subjectOf(message, written, ['content_policy', 'no_quota', 'billing']);
  if (subject === null) return known ?? 'upstream';
  return subject === 'content_policy' ? subject : 'billing';
}

/** Returns the texts in an order. */
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
