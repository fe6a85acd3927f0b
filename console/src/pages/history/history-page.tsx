import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';

export function HistoryPage() {
  return <PageHeader title={frameTexts.pages.history} />;
}
