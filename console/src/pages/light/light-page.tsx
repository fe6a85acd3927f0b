import { useParams } from 'wouter';
import { LightForm } from './light-form.tsx';
import { LightTable } from './light-table.tsx';

/** The light table: the form of a new one, or one that was ordered. */
export function LightPage() {
  const { batchId } = useParams<{ batchId?: string }>();
  return batchId === undefined ? <LightForm /> : <LightTable key={batchId} batchId={batchId} />;
}
