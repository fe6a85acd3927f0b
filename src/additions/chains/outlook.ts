import type { TaskFailure } from '@darkroom-service/engines';
import type { Resolved } from '../../kernel-orders.ts';

/** The future of a blocked order after its parents have ended. */
export type Outlook = Resolved | { readonly failure: TaskFailure };
