import type { Catalogue } from '../words/words.ts'

/** In a separate file because the first page load includes it. */
export const settingsLabel: Catalogue<string> = { en: 'Settings' }
export const tokensLabel: Catalogue<string> = { en: 'API tokens' }
export const webhooksLabel: Catalogue<string> = { en: 'Webhooks' }
export const auditLabel: Catalogue<string> = { en: 'Audit log' }
export const organizationLabel: Catalogue<string> = { en: 'Organization' }
export const membersLabel: Catalogue<string> = { en: 'Members' }
export const systemLabel: Catalogue<string> = { en: 'System' }
