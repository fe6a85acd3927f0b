import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';

export function KeysPage() {
  return <PageHeader title={frameTexts.pages.keys} />;
}
