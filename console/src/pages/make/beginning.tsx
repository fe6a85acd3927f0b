import { BrandMark } from '../../components/brand-mark.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { studioTexts } from '../../texts/studio.ts';
import { PROMPT_ID } from './composer.tsx';
import { setValue, useDraft } from './draft.ts';
import classes from './example-card.module.css';
import { DRAWN_BY, DRAWN_EXAMPLES, ExampleCard } from './example-card.tsx';

const LargeMark = () => <BrandMark size={52} />;

/** Examples to start with, instead of an empty wall. */
export function Beginning() {
  const { title, text, prompts } = studioTexts.empty;
  const isDrawn = useDraft().modelId === DRAWN_BY;
  const begin = (example: string) => {
    setValue('prompt', example);
    document.getElementById(PROMPT_ID)?.focus();
  };
  return (
    <EmptyState title={title} text={isDrawn ? text : prompts} icon={LargeMark}>
      <div className={classes.examples}>
        {DRAWN_EXAMPLES.map(({ prompt, picture }) => (
          <ExampleCard key={prompt} prompt={prompt} {...(isDrawn ? { picture } : {})} onChoose={() => begin(prompt)} />
        ))}
      </div>
    </EmptyState>
  );
}
