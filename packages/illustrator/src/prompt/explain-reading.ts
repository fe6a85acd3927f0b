import type { Reading } from './reading.ts';
import { LANGUAGES } from './vocabulary.ts';

const RELATIONS: Readonly<Record<string, string>> = {
  under: 'ridden by the one before',
  on: 'with the one before on it',
  in: 'with the one before in it',
  over: 'over the one before',
  back: 'behind the one before',
  against: 'with the one before leaning against it',
  wearing: 'worn by the one before',
  held: 'held by the one before',
};

/** Writes one sentence for each thing understood of a prompt. */
export function explainReading(reading: Omit<Reading, 'lines'>): string[] {
  const lines = reading.subjects.map((each) => {
    const extras = [
      each.size === 'normal' ? '' : each.size,
      each.colour === null ? '' : colourName(each.colour),
      each.place ?? '',
      each.action ?? '',
      ...each.features,
      each.relation === null ? '' : (RELATIONS[each.relation] ?? each.relation),
    ].filter(Boolean);
    return `Subject: ${each.count} × ${each.kind}${extras.length > 0 ? ` (${extras.join(', ')})` : ''}.`;
  });
  const lists: [string, readonly string[]][] = [
    ['Place', reading.places],
    ['Time of day', reading.times],
    ['Weather', reading.weather],
    ['Season', reading.seasons],
    ['Style', reading.styles],
    ['Mood', reading.moods],
    ['Colours', reading.colours.map(colourName)],
    ['Camera', reading.cameras],
    ['Framing', reading.framings],
    ['Lettering', reading.lettering === null ? [] : [reading.lettering]],
    ['Not known to this illustrator', reading.unknown],
  ];
  for (const [name, values] of lists)
    if (values.length > 0) lines.push(`${name}: ${values.join(', ').replaceAll('_', ' ')}.`);
  return lines;
}

/** Returns the English name of a colour, or the colour itself if it has none. */
function colourName(colour: string): string {
  for (const [word, meanings] of LANGUAGES[0]?.words ?? []) {
    if (meanings.some((each) => each.group === 'colour' && each.id === colour)) return word;
  }
  return colour;
}
