import { directionControls } from './direction-controls.ts'

const special = new RegExp(`[&<>"'${directionControls}]`)
const eachSpecial = new RegExp(special, 'g')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/**
 * Returns the text as HTML, for content and for quoted attributes alike. Leaves out characters that embed, override or isolate
 * directions.
 */
export const escapeHtml = (text: string): string =>
  special.test(text) ? text.replace(eachSpecial, (character) => entities[character] ?? '') : text
