import { UnstyledButton } from '@mantine/core';
import classes from './example-card.module.css';

/** A prompt, and what a model made of it, as a button that begins the same order. */
export function ExampleCard({
  prompt,
  picture,
  note,
  isDisabled = false,
  onChoose,
}: {
  readonly prompt: string;
  /** Absent where the chosen model made none. */
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
