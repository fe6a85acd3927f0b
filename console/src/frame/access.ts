import { useMay } from '../api/may.ts';
import { type Place, places, type View } from '../pages.ts';

/** A place with only the views that this session may open. */
interface OpenPlace extends Place {
  readonly path: string;
}

/** Returns the views that this session may open, by its keys and by the role of the person who has signed in. */
export function useAccess() {
  const may = useMay();
  const isOpen = ({ needs, or }: View) => may(needs) || (or !== undefined && may(or));
  const open = places.flatMap((place): OpenPlace[] => {
    const views = place.views.filter(isOpen);
    const first = views.find(({ isLinked }) => isLinked !== true);
    return first === undefined ? [] : [{ ...place, views, path: first.path }];
  });
  return {
    isOpen,
    /** The places of the navigation, in its order. The first one opens after a sign-in. */
    open,
  };
}
