import type { Plan } from '../composition/plan.ts';
import type { Scene } from '../model/scene.ts';
import { readPrompt } from '../prompt/read-prompt.ts';
import type { PaintJob } from './paint-job.ts';

const SEEN_IN_WORLD: Readonly<Record<Scene['world'], string>> = {
  land: 'a landscape',
  space: 'space',
  underwater: 'the world under water',
  room: 'a room',
  studio: 'a plain ground',
  abstract: 'shapes and colours, as no thing or place was understood',
};

/** Describes in sentences the interpretation of the prompt, and the scene made from it. */
export function explainPlan(plan: Plan, { values, media }: Pick<PaintJob, 'values' | 'media'>): string[] {
  const [scene] = plan.scenes;
  if (scene === undefined) return [];
  const unwanted = typeof values.negative_prompt === 'string' ? readPrompt(values.negative_prompt).lines : [];
  const given = media.map(({ field, kind }) => `Given: ${NAMES[kind]} in ${field}.`);
  return [
    ...readPrompt(scene.prompt).lines,
    ...unwanted.map((line) => `Left out: ${line}`),
    ...given,
    `Seen: ${SEEN_IN_WORLD[scene.world]}; time ${scene.time}; style ${scene.style.replaceAll('_', ' ')}.`,
  ];
}

const NAMES = { image: 'an image', video: 'a video', audio: 'an audio file' } as const;
