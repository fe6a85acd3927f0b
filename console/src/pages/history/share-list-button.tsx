import { lazyPart } from '../../components/lazy-part.ts';
import { ShareDialog } from '../../components/share-dialog.tsx';
import { shareTexts as texts } from '../../texts/shares.ts';
import type { HistoryFilter } from './history-filter.ts';

const ShareList = lazyPart(async () => (await import('./share-list.tsx')).ShareList);

/** Opens the dialog that shares the results of the filtered history. */
export function ShareListButton({ filter }: { readonly filter: HistoryFilter }) {
  return (
    <ShareDialog label={texts.shareList} title={texts.shareList}>
      <ShareList filter={filter} />
    </ShareDialog>
  );
}
