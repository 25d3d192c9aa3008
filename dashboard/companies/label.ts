import type { Messages } from '../messages/messages.ts'

/** In a separate file because the first page load includes it. */
export const companiesLabel: Messages<string> = { en: 'Companies' }
