/** The text as a pattern of LIKE that finds it anywhere, each of its characters meaning itself. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
