import { UnstyledButton } from '@mantine/core';
import { studioTexts } from '../../texts/studio.ts';
import classes from './example-card.module.css';
import city from './examples/city.webp';
import lighthouse from './examples/lighthouse.webp';
import mountains from './examples/mountains.webp';

/** A prompt with a model's result, as a button that starts the same order. */
export function ExampleCard({
  prompt,
  picture,
  note,
  isDisabled = false,
  onChoose,
}: {
  readonly prompt: string;
  /** Absent if the chosen model has no result for it. */
  readonly picture?: { readonly src: string; readonly width?: number; readonly height?: number };
  readonly note?: string;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <UnstyledButton className={classes.example} onClick={onChoose} disabled={isDisabled}>
      {picture !== undefined && <img {...picture} alt="" />}
      <span>
        {prompt}
        {note !== undefined && <small className="figures">{note}</small>}
      </span>
    </UnstyledButton>
  );
}

/** The model that drew the examples of the console. */
export const DRAWN_BY = 'sketch';

/** Prompts to start with, and the built-in illustrator's results. */
export const DRAWN_EXAMPLES = Object.entries({ lighthouse, mountains, city }).map(([name, picture]) => ({
  prompt: studioTexts.empty.examples[name as keyof typeof studioTexts.empty.examples],
  picture: { src: picture, width: 432, height: 288 },
}));
