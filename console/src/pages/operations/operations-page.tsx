import { PageHeader } from '../../components/page-header.tsx';
import { frameTexts } from '../../texts/frame.ts';

export function OperationsPage() {
  return <PageHeader title={frameTexts.pages.operations} />;
}
