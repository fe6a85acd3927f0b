import type { TaskView as Task } from '@darkroom-service/contract';
import { inWords } from '../texts/in-words.ts';
import { useIsOld } from './as-seen.tsx';
import classes from './status-mark.module.css';

/** The status of a task: a word, and a dot in its colour. */
export function StatusMark({ status }: { readonly status: Task['status'] }) {
  return <Mark tone={TONES[status]}>{inWords(status)}</Mark>;
}

export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

const TONES: Readonly<Record<Task['status'], Tone>> = {
  queued: 'quiet',
  processing: 'busy',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'quiet',
};

/** A word with a dot in its colour. Nothing is good that could not be read just now. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  const shown = useIsOld() && tone === 'good' ? 'quiet' : tone;
  return (
    <span className={classes.mark} data-tone={shown}>
      <span className={`${classes.dot} ${classes[shown]}`} aria-hidden="true" />
      {children}
    </span>
  );
}
