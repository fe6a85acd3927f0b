import type { ResolvedRequest } from '@darkroom-service/contract/catalog';
import type { TaskFailure } from '@darkroom-service/engines';
import type { Route, TaskMedia } from '../../kernel.ts';

/** A blocked order as its parents let it be made. */
export interface Release {
  readonly request: ResolvedRequest;
  readonly media: readonly TaskMedia[];
  readonly route: Route;
  /** The size of the tiles that were cut out and stored for it. */
  readonly cutBytes: number;
}

/** The future of a blocked order after its parents have ended. */
export type Outlook = Release | { readonly failure: TaskFailure };
