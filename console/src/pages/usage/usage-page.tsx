import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';

export function UsagePage() {
  return <PageHeader title={frameTexts.pages.usage} />;
}
