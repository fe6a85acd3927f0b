/** Function that returns a text with each secret replaced. */
export type Redact = (text: string) => string;

/** Minimum characters of a secret; shorter ones would match by chance. */
const LEAST_SECRET = 4;
const LEAST_PART = 8;
/**
 * Number of first characters of a long secret that count as the secret: messages that mask a key often show its
 * beginning. Fewer are hardly more than the prefix of all keys of a vendor, such as `sk-proj-`.
 */
const FIRST_CHARACTERS = 8;
const LONG_SECRET = 16;
/** Minimum characters of a beginning that is a word: a shorter one, such as the `darkroom` of a password, stays. */
const LONGER_THAN_WORDS = 12;
const WORD = /^[A-Z]?[a-z]+$/;
const SCHEME = /^(?:bearer|basic|key|token)\s+/i;

/** A way to write a secret. A beginning of fewer than `least` characters may match by chance. */
interface Form {
  readonly text: string;
  readonly least: number;
}

/**
 * Creates a function that replaces secrets in foreign texts: plain, escaped for JSON or a URL, in hex, in base64 at
 * each of its three alignments, and cut off after their eighth character or later. Takes linear time for any text.
 * @param secrets may have the scheme of a header before them, or parts separated by colons
 */
export function createRedactor(secrets: readonly string[], mark = '[key]'): Redact {
  const forms = Map.groupBy(secrets.flatMap(partsOf).flatMap(formsOf), headOf);
  if (forms.size === 0) return (text) => text;
  const starts = [...forms.values()].flat().map(({ text, least }) => RegExp.escape(text.slice(0, least)));
  const anyStart = new RegExp([...new Set(starts)].join('|'), 'g');
  return (text) => {
    const kept: string[] = [];
    let at = 0;
    anyStart.lastIndex = 0;
    for (let match = anyStart.exec(text); match !== null; match = anyStart.exec(text)) {
      const { 0: start, index } = match;
      // A secret may begin within another.
      anyStart.lastIndex = index + 1;
      let end = 0;
      for (const form of forms.get(start.slice(0, LEAST_SECRET)) ?? []) end = Math.max(end, endOf(form, text, index));
      if (end <= at) continue;
      if (at === 0 || index > at) kept.push(text.slice(at, index));
      at = end;
    }
    return at === 0 ? text : kept.join(mark) + mark + text.slice(at);
  };
}

function headOf({ text }: Form): string {
  return text.slice(0, LEAST_SECRET);
}

/** Returns the end of the part of a form that begins at an index of a text; 0 if it may be there by chance. */
function endOf({ text: form, least }: Form, text: string, index: number): number {
  let length = 0;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(index + length)) length++;
  if (length < least) return 0;
  const isWord = length < form.length && length < LONGER_THAN_WORDS && WORD.test(form.slice(0, length));
  return isWord ? 0 : index + length;
}

function partsOf(given: string): string[] {
  const secret = given.replace(SCHEME, '').trim();
  const parts = secret.split(/[\s:]+/).filter((part) => part.length >= LEAST_PART);
  return [...new Set([secret, ...parts])].filter(({ length }) => length >= LEAST_SECRET);
}

function formsOf(secret: string): Form[] {
  const isLong = secret.length >= LONG_SECRET;
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const plain = [secret, JSON.stringify(secret).slice(1, -1)].flatMap((text) => [text, text.replaceAll('/', '\\/')]);
  const inAddress = [encodeURIComponent(secret), encodeURIComponent(secret).replaceAll('%20', '+')];
  const lowerCase = inAddress.map((text) => text.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase()));
  const base64 = [0, 1, 2].flatMap((before) => {
    const text = inBase64(bytes, before);
    const escaped = [text.replaceAll('/', '\\/'), encodeURIComponent(text)];
    return [text, text.replaceAll('+', '-').replaceAll('/', '_'), ...escaped];
  });
  const written: readonly (readonly [readonly string[], number])[] = [
    [[...plain, ...inAddress, ...lowerCase], FIRST_CHARACTERS],
    [base64, Math.ceil((FIRST_CHARACTERS * 4) / 3) - 1],
    [[hex, hex.toUpperCase()], FIRST_CHARACTERS * 2],
  ];
  return written.flatMap(([texts, first]) =>
    [...new Set(texts)]
      .filter((text) => texts !== base64 || text.length >= LEAST_PART)
      .map((text) => ({ text, least: isLong ? first : text.length })),
  );
}

/** Returns the base64 characters that depend on no byte before or after the secret. @param before bytes before it */
function inBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
