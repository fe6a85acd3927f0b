/** A doc comment in one line. */
export interface DocComment {
  readonly path: string;
  readonly text: string;
}

const ANY_COMMENT = /\/\*\*(?:(?!\*\/)[\s\S])*\*\//g;
/** A comment that begins so points to its declaration instead of describing it. */
const POINTING =
  /^(?:what|how|who|whom|whose|whoever|whatever|where|when|why|which|this|these|those|they|their|its?|one|of|he|him|we)\b/i;
const COMMENT = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=export )/gm;
/** These words point to another declaration, repeat the question, or begin half a sentence. */
const DEPENDENT =
  /^(?:the (?:same|others?|rest|latter|former)|same|of|those|such|that|this|these|what|who|whose|which|where|it|its|they|their|and|or|as|by|in|at|from|also|likewise|null|only|for(?! tests:)|must|without|until|everything|something|somebody|nothing)\b|^@/i;

/** Finds the doc comments of exported names. @param texts of files, by their paths */
export function exportedComments(texts: ReadonlyMap<string, string>): DocComment[] {
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(COMMENT)].map(([comment]) => ({ path, text: sentenceOf(comment) })),
  );
}

/** Finds the doc comments that begin with a question word or a pronoun. @param texts of files, by their paths */
export function pointingComments(texts: ReadonlyMap<string, string>): DocComment[] {
  return [...texts]
    .flatMap(([path, text]) =>
      [...text.matchAll(ANY_COMMENT)].map(([comment]) => ({ path, text: sentenceOf(comment) })),
    )
    .filter(({ text }) => POINTING.test(text));
}

/** Tells whether a comment is understood only beside another declaration, and so not in a tooltip. */
export function isDependent({ text }: DocComment): boolean {
  return DEPENDENT.test(text);
}

function sentenceOf(comment: string): string {
  return comment
    .replaceAll(/^\s*(?:\/\*\*|\*\/|\*)|\*\/\s*$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
