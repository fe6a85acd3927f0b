/** The doc comment of an exported name, in one line. */
export interface ExportedComment {
  readonly path: string;
  readonly text: string;
}

const COMMENT = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=export )/gm;
/** These words point to another declaration, repeat the question, or begin half a sentence. */
const DEPENDENT =
  /^(?:the (?:same|others?|rest|latter|former)|same|of|those|such|that|this|these|what|who|whose|which|where|it|its|they|their|and|or|as|by|in|at|from|also|likewise|null|only|for(?! tests:)|must|without|until|everything|something|somebody|nothing)\b|^@/i;

/** Finds the doc comments of exported names. @param texts of files, by their paths */
export function exportedComments(texts: ReadonlyMap<string, string>): ExportedComment[] {
  return [...texts].flatMap(([path, text]) =>
    [...text.matchAll(COMMENT)].map(([comment]) => ({ path, text: sentenceOf(comment) })),
  );
}

/** Tells whether a comment is understood only beside another declaration, and so not in a tooltip. */
export function isDependent({ text }: ExportedComment): boolean {
  return DEPENDENT.test(text);
}

function sentenceOf(comment: string): string {
  return comment
    .replaceAll(/^\s*(?:\/\*\*|\*\/|\*)|\*\/\s*$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
