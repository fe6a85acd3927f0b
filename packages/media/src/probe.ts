/** The type and size of a file, determined from its content; its name and the declared type are ignored. */
export interface Probe {
  readonly kind: 'image' | 'video' | 'audio';
  readonly contentType: string;
  readonly bytes: number;
  /** Width as displayed, after the rotation stored in the file. Null for sound. */
  readonly width: number | null;
  readonly height: number | null;
  /** The duration of a video's picture track, which its sound may exceed. Null for pictures. */
  readonly durationSeconds: number | null;
  readonly fps: number | null;
  /** Whether there is sound; null for pictures. */
  readonly hasAudio: boolean | null;
}
