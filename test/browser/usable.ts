import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Half as long as the text that the package exports, and so sent and compiled sooner. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
/** In the page: the rules whose faults are of these impacts, without those that only run when they are named. */
const SERIOUS_RULES = `axe._audit.rules
  .filter(({ enabled, impact, tags }) => enabled && ['serious', 'critical'].includes(impact)
    && !tags.some((tag) => axe._audit.tagExclude.includes(tag))).map(({ id }) => id)`;

/** Fails on what keeps people from using a page as it stands, and on one that scrolls sideways. */
export async function assertUsable(page: Page): Promise<void> {
  await assertAccessible(page);
  const overhang = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.equal(overhang, 0, 'the page is no wider than the window');
}

/** Fails on serious faults that axe finds. */
export async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findFaults(page, 'html', `{ type: 'rule', values: ${SERIOUS_RULES} }`), []);
}

/** Fails on any fault that axe finds in a part of the page. */
export async function assertFaultless(page: Page, part: string): Promise<void> {
  assert.deepEqual(await findFaults(page, part), []);
}

/** Lists the elements that reach beyond the window's right edge, except within scrolling elements. */
export async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const edge = document.documentElement.clientWidth + 1;
    const scrolls = (element) => {
      for (let one = element.parentElement; one !== null; one = one.parentElement)
        if (one !== document.body && /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth
          && one.matches('pre, [role=tablist], nav *, nav')) return true;
      return false;
    };
    const beyond = [...document.querySelectorAll('main *, header *, [role=dialog] *')].filter((element) => {
      const { width, right } = element.getBoundingClientRect();
      return width > 1 && right > edge && !scrolls(element);
    });
    return beyond.map((element) => element.outerHTML.slice(0, 120));
  })()`);
}

/** @param rules in the page: which rules judge; by default all that are enabled */
async function findFaults(page: Page, part: string, rules = 'undefined'): Promise<string[]> {
  assert.equal(page.frames().length, 1, 'the page has no frames, which would be judged apart');
  // Once in a page: to compile it takes longer than to judge with it.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`(() => {
    // Pages of tests are transparent.
    const transparent = [...document.adoptedStyleSheets];
    document.adoptedStyleSheets = [];
    return axe.run(${JSON.stringify(part)}, { resultTypes: ['violations'], preload: false, runOnly: ${rules} })
      .finally(() => { document.adoptedStyleSheets = transparent; });
  })()`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}
