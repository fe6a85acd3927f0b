import type { LookUp, PriceComponent, PriceFormula } from '@darkroom-service/contract/catalog';

type Unit = PriceComponent['per'] | PriceFormula['name'];

const NOUNS: Readonly<Record<Unit, readonly [string, string]>> = {
  request: ['request', 'requests'],
  image: ['image', 'images'],
  clip: ['clip', 'clips'],
  output_second: ['s', 's'],
  input_video_second: ['s of input video', 's of input video'],
  input_audio_second: ['s of input audio', 's of input audio'],
  input_plus_output_second: ['s of input and output', 's of input and output'],
  input_image: ['input image', 'input images'],
  output_megapixel: ['megapixel', 'megapixels'],
  input_megapixel: ['input megapixel', 'input megapixels'],
  formula: ['token', 'tokens'],
  openai_image_tokens: ['image token', 'image tokens'],
  prompt_tokens: ['prompt token', 'prompt tokens'],
  input_image_tokens: ['input image token', 'input image tokens'],
  output_image_tokens: ['image token', 'image tokens'],
  video_tokens: ['video token', 'video tokens'],
};

/**
 * Describes a line of a quote, such as `8 s at 1080p, high quality, with sound`. A formula shows its calculation:
 * `3 prompt tokens: ⌈9 bytes ÷ 4⌉`.
 */
export function describeLine(
  component: PriceComponent,
  ofAction: string | null,
  lookUp: LookUp,
  quantity: number,
  calculation: (() => string) | undefined,
): string {
  if (component.description !== undefined) return component.description;
  const amount = Number(quantity.toFixed(3));
  const noun = NOUNS[component.formula?.name ?? component.per][amount === 1 ? 0 : 1];
  const place =
    component.units === undefined || component.units.from === 1 ? '' : ` from the ${ordinal(component.units.from)} on`;
  const action = ofAction === null ? '' : `${ofAction.replaceAll('_', ' ')}, `;
  const parts: string[] = [];
  let tier = '';
  for (const name in component.when) {
    const value = lookUp(name);
    if (name === 'resolution' || name === 'size') tier = ` at ${value}`;
    else if (name === 'generate_audio') parts.push(value === true ? 'with sound' : 'without sound');
    else if (name === 'video_input') parts.push(value === true ? 'with input video' : 'without input video');
    else if (name === 'quality' && typeof value === 'string') parts.push(`${value} quality`);
    else if (name === 'speed' && typeof value === 'string' && value !== 'standard') parts.push(`${value} speed`);
    else if (name === 'mode') parts.push(String(value).replaceAll('_', ' '));
    else if (name === 'duration') parts.push(`${String(value).replace(/s$/, '')} s`);
  }
  const how = calculation === undefined ? '' : `: ${calculation()}`;
  return `${action}${amount} ${noun}${place}${[tier, ...parts].join(', ')}${how}`;
}

function ordinal(number: number): string {
  const tail = number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${tail}`;
}
