import type { TaskFailure } from '@darkroom-service/engines';
import type { Kernel } from '../../kernel.ts';

/** An order that waited for others, completed by their ends. */
export type Resolved = Parameters<Kernel['gates']['openParent']>[2];

/** The future of a blocked order after its parents have ended. */
export type Outlook = Resolved | { readonly failure: TaskFailure };
