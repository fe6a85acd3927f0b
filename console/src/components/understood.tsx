import type { TaskView as Task } from '@darkroom-service/contract';
import classes from './understood.module.css';

/** Shows how the engine understood the prompt, if it reports that: its rewritten prompt or an explanation. */
export function Understood({ output }: { readonly output: Task['outputs'][number] }) {
  const { revised_prompt: revised, explanation = [] } = output;
  if (revised === null && explanation.length === 0) return null;
  return (
    <details className={classes.understood}>
      <summary>How the prompt was understood</summary>
      {revised !== null && <p dir="auto">{revised}</p>}
      {explanation.length > 0 && (
        <ul>
          {explanation.map((sentence) => (
            <li key={sentence} dir="auto">
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
