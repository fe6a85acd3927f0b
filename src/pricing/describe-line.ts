import { valueNamed } from '../catalog/condition.ts';
import type { ResolvedRequest } from '../catalog/model.ts';
import type { PriceComponent } from '../catalog/price-schema.ts';

type Unit = PriceComponent['per'];

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
};

/** Describes a line of a quote, such as `8 s at 1080p, high quality, with sound`. */
export function describeLine(component: PriceComponent, request: ResolvedRequest, quantity: number): string {
  if (component.description !== undefined) return component.description;
  const amount = Number(quantity.toFixed(3));
  const noun = NOUNS[component.per][amount === 1 ? 0 : 1];
  const place =
    component.units === undefined || component.units.from === 1 ? '' : ` from the ${ordinal(component.units.from)} on`;
  const action = request.action === null ? '' : `${request.action.replaceAll('_', ' ')}, `;
  const parts: string[] = [];
  let tier = '';
  for (const name in component.when) {
    const value = valueNamed(name, request);
    if (name === 'resolution' || name === 'size') tier = ` at ${value}`;
    else if (name === 'generate_audio') parts.push(value === true ? 'with sound' : 'without sound');
    else if (name === 'video_input') parts.push(value === true ? 'with input video' : 'without input video');
    else if (name === 'quality' && typeof value === 'string') parts.push(`${value} quality`);
    else if (name === 'speed' && typeof value === 'string') parts.push(`${value} speed`);
    else if (name === 'mode') parts.push(String(value).replaceAll('_', ' '));
    else if (name === 'duration') parts.push(`${String(value).replace(/s$/, '')} s`);
  }
  return `${action}${amount} ${noun}${place}${[tier, ...parts].join(', ')}`;
}

function ordinal(number: number): string {
  const tail = number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${tail}`;
}
