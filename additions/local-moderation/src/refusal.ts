import { CONTENTS, type Content, type Likelihoods } from './network.ts';

/** The likelihood from which a content is refused, for each content that is. */
export type Thresholds = Readonly<Partial<Record<Content, number>>>;

/** Words for customers. They name no threshold: orders could be tuned to it. */
const WORDS: Readonly<Partial<Record<Content, string>>> = {
  porn: 'sexual content',
  hentai: 'drawn sexual content',
  sexy: 'suggestive content',
};

/** A file of an order whose frames were judged. */
export interface JudgedFile {
  /** The field of the reference, or the output, such as `outputs[0]`. */
  readonly name: string;
  readonly frames: readonly Likelihoods[];
}

/** Returns the reason for the customer if one frame of a file reaches a threshold; null if none does. */
export function refusalOf(judged: readonly JudgedFile[], thresholds: Thresholds): string | null {
  for (const { name, frames } of judged)
    for (const content of CONTENTS)
      if (frames.some((likelihoods) => likelihoods[content] >= (thresholds[content] ?? Number.POSITIVE_INFINITY)))
        return `The moderation of the service found ${WORDS[content] ?? content} in ${name}.`;
  return null;
}
