import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import type { CDPSession, Locator } from 'playwright-core';

/** Longer than a drag takes to begin, also on a busy machine. */
const BEGINS_MS = 5_000;
const GIVEN_UP = 'the browser has begun no drag';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Drops the dragged element at a point. */
type Drop = (at: Point) => Promise<void>;

/**
 * Drags an element to the middle of another one. The driver's `dragTo` waits without an end for a drag that the browser
 * gives up, as it does if what was pressed has moved meanwhile. Here the element is pressed again.
 * On a busy machine a drag may begin after its button was released, and then hides later presses from the page: it is
 * the one that is dropped.
 * @throws Error if no drag has begun within two minutes
 */
export async function drag(from: Locator, to: Locator): Promise<void> {
  const page = from.page();
  const devtools = await page.context().newCDPSession(page);
  try {
    await devtools.send('Input.setInterceptDrags', { enabled: true });
    const begun = new Promise<Drop>((resolve) => {
      devtools.once('Input.dragIntercepted', ({ data }) =>
        resolve(async (at) => {
          for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
            await devtools.send('Input.dispatchDragEvent', { type, ...at, data });
        }),
      );
    });
    const drop = await until(
      () => beginDrag(devtools, begun, from, to),
      (found) => found !== GIVEN_UP,
    );
    assert.ok(drop !== GIVEN_UP);
    await drop(await middleOf(to));
  } finally {
    await devtools.detach();
  }
}

/**
 * Presses the element and moves the pointer away.
 * @param begun resolves when the browser has begun a drag
 */
async function beginDrag(
  devtools: CDPSession,
  begun: Promise<Drop>,
  from: Locator,
  to: Locator,
): Promise<Drop | typeof GIVEN_UP> {
  const sendMouse = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: Point) => {
    const buttons = type === 'mouseReleased' ? 0 : 1;
    return devtools.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', buttons, clickCount: 1 });
  };
  await from.hover();
  await sendMouse('mousePressed', await middleOf(from));
  await sendMouse('mouseMoved', await middleOf(to));
  const first = await Promise.race([begun, pause<typeof GIVEN_UP>(BEGINS_MS, GIVEN_UP, { ref: false })]);
  // Over another element, so that it is no click on what was pressed.
  if (first === GIVEN_UP) await sendMouse('mouseReleased', await middleOf(to));
  return first;
}

async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox();
  assert.ok(box !== null, `${element} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
