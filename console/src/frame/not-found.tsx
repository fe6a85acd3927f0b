import { EmptyState } from '../components/empty-state.tsx';
import { frameTexts } from '../texts/frame.ts';

export function NotFound() {
  return <EmptyState {...frameTexts.notFound} href="/" />;
}
