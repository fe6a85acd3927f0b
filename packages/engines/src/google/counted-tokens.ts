import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { ReportedCost } from '../reported-cost.ts';
import { objectOf } from '../upstream/json-object.ts';
import { reportedTokens } from '../upstream/reported-cost.ts';

/** Reads the tokens that Google counted. A model's thinking is billed like the text that it writes. */

/** Returns the tokens of a `generateContent`, whose `usageMetadata` lists modalities in capitals. */
export function tokensOfContent(body: JsonValue | undefined): { upstreamCost?: ReportedCost } {
  const usage = objectOf(objectOf(body).usageMetadata);
  const { promptTokensDetails: prompt, candidatesTokensDetails: candidates } = usage;
  const images = countOf(prompt, 'image');
  const words = countOf(candidates, 'text');
  return reportedTokens({
    prompt: numberIn(usage.promptTokenCount) - images,
    input_image: images,
    output_image: numberIn(usage.candidatesTokenCount) - words,
    output_text: numberIn(usage.thoughtsTokenCount) + words,
  });
}

/** Returns the tokens of an interaction. All input has one price. */
export function tokensOfInteraction(body: JsonValue | undefined): { upstreamCost?: ReportedCost } {
  const usage = objectOf(objectOf(body).usage);
  const videos = countOf(usage.output_tokens_by_modality, 'video');
  return reportedTokens({
    prompt: usage.total_input_tokens,
    video: videos,
    output_text: numberIn(usage.total_output_tokens) - videos + numberIn(usage.total_thought_tokens),
  });
}

/** Returns the tokens of a modality. @param listed `[{ modality, tokenCount | tokens }]` */
function countOf(listed: JsonValue | undefined, modality: string): number {
  return (Array.isArray(listed) ? listed : [])
    .map((one: JsonValue): JsonObject => objectOf(one))
    .filter((one) => String(one.modality).toLowerCase() === modality)
    .reduce((sum, { tokenCount, tokens }) => sum + numberIn(tokenCount ?? tokens), 0);
}

function numberIn(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
