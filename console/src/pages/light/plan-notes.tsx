import { Text } from '@mantine/core';
import { lightTexts } from '../../texts/light.ts';
import classes from './light-form.module.css';
import type { PlanNote } from './plan.ts';

const texts = lightTexts.plan;

/** What the models do not accept of the form, model by model. */
export function PlanNotes({ notes }: { readonly notes: readonly PlanNote[] }) {
  if (notes.length === 0) return null;
  return (
    <section className={classes.notes} aria-label={texts.leftOut} aria-live="polite">
      <Text size="sm" fw={600}>
        {texts.leftOut}
      </Text>
      <ul>
        {notes.map(({ model, text, leftOut }) => (
          <li key={`${model.model_id} ${text}`}>
            <b>{model.name}</b> {text}
            {leftOut > 0 && <span className={classes.leftOut}> · {texts.count1(leftOut)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
