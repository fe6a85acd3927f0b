import { studioTexts } from '../../texts/studio.ts';
import city from './examples/city.webp';
import lighthouse from './examples/lighthouse.webp';
import mountains from './examples/mountains.webp';

/** The model that drew the examples of the console. */
export const DRAWN_BY = 'sketch';

/** Prompts to start with, and what the built-in illustrator made of them. */
export const DRAWN_EXAMPLES = Object.entries({ lighthouse, mountains, city }).map(([name, picture]) => ({
  prompt: studioTexts.empty.examples[name as keyof typeof studioTexts.empty.examples],
  picture: { src: picture, width: 432, height: 288 },
}));
