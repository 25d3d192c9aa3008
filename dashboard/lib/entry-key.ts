/** Returns a stable key for a new entry of a form, such as a line item: a random one, because other entries come from a draft. */
export const entryKey = (): string => Math.random().toString(36).slice(2)
