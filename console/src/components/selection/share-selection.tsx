import type { TaskView as Task } from '@darkroom-service/contract/task';
import { Stack, Text } from '@mantine/core';
import { formatCount } from '../../format.ts';
import { selectionTexts as texts } from '../../texts/selection.ts';
import { shareTexts } from '../../texts/shares.ts';
import { MOST_SHARED, ShareLinks } from '../lazy-share-links.ts';
import { ShareDialog } from '../share-dialog.tsx';
import { hasResult } from '../task-facts.ts';
import classes from './selection.module.css';

/** Shares the selected results by one link. */
export function ShareSelection({ tasks }: { readonly tasks: readonly Task[] }) {
  const results = tasks.filter(hasResult);
  const others = tasks.length - results.length;
  return (
    <ShareDialog label={texts.share} title={texts.shareTitle} className={classes.action ?? ''}>
      <Stack>
        {others > 0 && <Text size="sm">{texts.withoutResult(others)}</Text>}
        {results.length > MOST_SHARED && <Text size="sm">{shareTexts.most(formatCount(MOST_SHARED))}</Text>}
        {results.length > 0 && <ShareLinks tasks={results.slice(0, MOST_SHARED)} />}
      </Stack>
    </ShareDialog>
  );
}
