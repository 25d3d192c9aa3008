import type { Catalogue } from '../words/words.ts'

/** Apart from the words of the room, since every first visit loads them. */
export const settingsLabel: Catalogue<string> = { en: 'Settings' }
export const tokensLabel: Catalogue<string> = { en: 'API Tokens' }
export const webhooksLabel: Catalogue<string> = { en: 'Webhooks' }
export const auditLabel: Catalogue<string> = { en: 'Audit log' }
export const organizationLabel: Catalogue<string> = { en: 'Organization' }
export const membersLabel: Catalogue<string> = { en: 'Members' }
export const systemLabel: Catalogue<string> = { en: 'System' }
