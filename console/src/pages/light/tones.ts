import type { Batch } from '../../api/booked-order.ts';
import type { Tone } from '../../components/status-mark.tsx';

export const TONES: Readonly<Record<Batch['status'], Tone>> = {
  processing: 'busy',
  succeeded: 'good',
  partial: 'good',
  failed: 'bad',
  canceled: 'quiet',
};
