/**
 * Tells whether the optional package with video and sound codecs is installed. Does not load it: only media and painter
 * processes do.
 */
export function hasCodecs(): boolean {
  try {
    import.meta.resolve('@mediabunny/server');
    return true;
  } catch {
    return false;
  }
}
