/** Returns a LIKE pattern that matches texts containing this one literally. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
