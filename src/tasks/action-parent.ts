import type { ResolvedRequest } from '@darkroom-service/contract/catalog/model';
import type { ActionParent } from '../catalog/action-output.ts';
import type { StoredOutput } from './task.ts';

/** Returns the parent that an action is resolved against: its request and its output. */
export function actionParent(
  request: ResolvedRequest,
  output: Pick<StoredOutput, 'tiles' | 'width' | 'height'>,
): ActionParent {
  return {
    request,
    grid: output.tiles !== null,
    width: output.width ?? request.output.width,
    height: output.height ?? request.output.height,
  };
}
