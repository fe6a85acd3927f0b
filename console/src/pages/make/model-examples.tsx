import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { CatalogModel } from '../../api/model.ts';
import type { DataOf } from '../../api/operations.ts';
import { nearUrl } from '../../api/service-url.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { ExampleMark } from '../../components/example-mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoney } from '../../format.ts';
import { setDraft } from './draft.ts';
import { DRAWN_BY, DRAWN_EXAMPLES, ExampleCard } from './example-card.tsx';
import classes from './model-page.module.css';

type Example = DataOf<'GET /v1/models/{model_id}/examples'>['items'][number] & { readonly task_id?: string };

const UNTITLED = 'Without a prompt';

/** A model's examples from the operator; without any, the built-in model has the console's own. */
export function ModelExamples({ model, isOrderable }: { readonly model: CatalogModel; readonly isOrderable: boolean }) {
  const [, navigate] = useLocation();
  const path = { model_id: model.model_id };
  const isOperator = useSession().keys.admin !== undefined;
  const forAll = useApi('GET /v1/models/{model_id}/examples', { path }, { enabled: !isOperator && isOrderable });
  const forOperators = useApi('GET /admin/v1/examples', { query: path }, { enabled: isOperator });
  const { data, error, refetch } = isOperator ? forOperators : forAll;
  const examples: readonly Example[] | undefined = data?.items;
  const begin = (prompt: string | null) => {
    setDraft(model.model_id, prompt === null ? {} : { prompt });
    navigate('/');
  };
  const show = (hint: string, cards: ReactNode) => (
    <Panel title="Examples" hint={hint}>
      <ul className={classes.examples}>{cards}</ul>
    </Panel>
  );
  if (examples === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (examples.length > 0)
    return show(
      'Live orders that this model made. Press one to take over its prompt.',
      examples.map(({ example_id: id, prompt, picture_url: url, width, height, amount, task_id: taskId }) => (
        <li key={id}>
          <ExampleCard
            prompt={prompt ?? UNTITLED}
            picture={{ src: nearUrl(url), ...(width === null || height === null ? {} : { width, height }) }}
            note={formatMoney(amount)}
            isDisabled={!isOrderable}
            onChoose={() => begin(prompt)}
          />
          {taskId !== undefined && (
            <ExampleMark taskId={taskId} isExample label={`No longer an example: ${prompt ?? UNTITLED}`} />
          )}
        </li>
      )),
    );
  if (model.model_id === DRAWN_BY)
    return show(
      'The built-in illustrator made them. Press one to take over its prompt.',
      DRAWN_EXAMPLES.map(({ prompt, picture }) => (
        <li key={prompt}>
          <ExampleCard prompt={prompt} picture={picture} isDisabled={!isOrderable} onChoose={() => begin(prompt)} />
        </li>
      )),
    );
  return (
    <Panel title="Examples">
      <Text c="dimmed">
        {isOperator
          ? 'No examples yet. Show live orders of your own account here: “Show as example” on an order.'
          : 'No examples yet.'}
      </Text>
    </Panel>
  );
}
