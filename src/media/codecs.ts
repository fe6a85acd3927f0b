let loading: Promise<boolean> | null = null;

/** Makes film and sound codecs known to mediabunny, once per process. False when the optional package that holds them is not installed. */
export function loadCodecs(): Promise<boolean> {
  loading ??= import('@mediabunny/server').then(
    ({ registerMediabunnyServer }) => {
      registerMediabunnyServer({ hardwareContext: null });
      return true;
    },
    () => false,
  );
  return loading;
}

/** Whether the package is installed. It is not loaded for that: whoever only asks how a service is would leave 30 MB more in it. */
export async function hasCodecs(): Promise<boolean> {
  if (loading !== null) return await loading;
  try {
    import.meta.resolve('@mediabunny/server');
    return true;
  } catch {
    return false;
  }
}
