/** A section of a page that the search finds. */
export interface Section {
  /** Name of the page. */
  readonly page: string;
  readonly title: string;
  /** Empty before the first heading. */
  readonly heading: string;
  /** Anchor of the heading; empty at the top of the page. */
  readonly anchor: string;
  readonly text: string;
}
