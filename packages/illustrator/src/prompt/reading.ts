import type { ActionName } from '../model/scene.ts';

export interface Subject {
  readonly kind: string;
  readonly count: number;
  readonly colour: string | null;
  readonly size: 'small' | 'normal' | 'large';
  /** The place in the picture: `left`, `right`, `centre`, `above`, `front`, `behind`, `beside`. */
  readonly place: string | null;
  /** The action; null if the prompt names none. */
  readonly action: ActionName | null;
  /**
   * Relation to the subject named before, if any. That subject rides this one (`under`), stands `on` it, is `in` it, is
   * below it (`over`), stands in front of it (`back`), leans `against` it, wears it (`wearing`) or holds it (`held`).
   */
  readonly relation: string | null;
  /** Features of a person: `beard`, `glasses`, `old` and others. */
  readonly features: readonly string[];
}

/** The meaning of a prompt, as far as it was understood. Plain JSON. */
export interface Reading {
  readonly subjects: readonly Subject[];
  readonly places: readonly string[];
  readonly times: readonly string[];
  readonly weather: readonly string[];
  readonly seasons: readonly string[];
  readonly styles: readonly string[];
  readonly moods: readonly string[];
  /** Colours that belong to no subject, `#rrggbb`. */
  readonly colours: readonly string[];
  readonly cameras: readonly string[];
  /** Framings: `close`, `wide`, `above` or `low`. */
  readonly framings: readonly string[];
  /** Colour of a plain background if the prompt names one, `#rrggbb`. */
  readonly backdrop: string | null;
  /** The text in quotation marks. */
  readonly lettering: string | null;
  readonly unknown: readonly string[];
  /** Sentences, one for each thing understood. */
  readonly lines: readonly string[];
}
