/**
 * Frees the buffers of files that have been read, if Node was started with `--expose-gc`. The code of Typst and the fonts take up to
 * 60 MB, and V8 would free them much later: it rarely collects garbage where few objects are created.
 */
export const freeMemory = (): void => (globalThis as { gc?: () => void }).gc?.()
