import { type PointerEvent, useEffect, useRef } from 'react';
import { pan, type Zoom, zoomTo } from './zoom.ts';

/** Dragging moves all pictures together; Ctrl with the wheel, or a pinch on a touchpad, zooms them. */
export function usePan(zoom: Zoom, onZoom: (zoom: Zoom) => void) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const root = useRef<HTMLTableElement>(null);
  const current = useRef(zoom);
  current.current = zoom;
  const change = useRef(onZoom);
  change.current = onZoom;
  // React listens to the wheel passively, so the browser would zoom the page as well.
  useEffect(() => {
    const element = root.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      change.current(zoomTo(current.current, current.current.scale * Math.exp(-event.deltaY / 200)));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, []);
  return {
    ref: root,
    onPointerDown(event: PointerEvent) {
      const isPicture = (event.target as Element).closest('[data-picture]') !== null;
      if (zoom.scale > 1 && isPicture && event.button === 0) from.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove(event: PointerEvent) {
      const picture = (event.target as Element).closest('[data-picture]')?.getBoundingClientRect();
      if (from.current === null || picture === undefined) return;
      if (event.buttons === 0) {
        from.current = null;
        return;
      }
      const [x, y] = [
        (event.clientX - from.current.x) / picture.width,
        (event.clientY - from.current.y) / picture.height,
      ];
      from.current = { x: event.clientX, y: event.clientY };
      onZoom(pan(zoom, x, y));
    },
    onPointerUp() {
      from.current = null;
    },
  };
}
