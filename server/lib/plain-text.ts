/** The same for texts that differ in capitals, white space or forms of characters. */
export const plainText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
