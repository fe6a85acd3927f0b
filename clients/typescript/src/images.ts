import type { ActionOrder } from './generated/interface.ts';
import type { ModelTypes } from './order-types.ts';
import type { OrderOptions } from './place-order.ts';
import type { TaskHandle } from './task-handle.ts';
import { finish, type GenerateOptions, Tasks } from './tasks.ts';

/**
 * Follow-up actions on an earlier image, such as `upscale`. The parent's `available_actions` lists them with their
 * prices.
 */
export interface ImageActions {
  /** Orders an action, and returns at once. */
  create(order: ActionOrder, options?: OrderOptions): Promise<TaskHandle>;
  /** Orders an action, and waits until its task has succeeded. */
  generate(order: ActionOrder, options?: GenerateOptions): Promise<TaskHandle>;
}

/** `client.images` */
export class Images<Known extends ModelTypes['image']> extends Tasks<Known> {
  readonly actions: ImageActions = {
    create: (order, options = {}) => this.place('/v1/images/actions', order, options),
    generate: async (order, options = {}) => await finish(await this.actions.create(order, options), options),
  };
}
