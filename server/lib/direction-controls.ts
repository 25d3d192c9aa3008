/**
 * The characters that embed, override or isolate directions, as a part of a character class. An override can make an amount read
 * backwards, and an unbalanced one would reach into the text that follows.
 */
export const directionControls = String.raw`\u202a-\u202e\u2066-\u2069`

const pattern = new RegExp(`[${directionControls}]`, 'g')

/** Returns the text without characters that embed, override or isolate directions. */
export const withoutDirectionControls = (text: string): string => text.replace(pattern, '')
