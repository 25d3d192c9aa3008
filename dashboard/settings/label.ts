import type { Messages } from '../messages/messages.ts'

/** In a separate file because the first page load includes it. */
export const settingsLabel: Messages<string> = { en: 'Settings' }
export const tokensLabel: Messages<string> = { en: 'API tokens' }
export const webhooksLabel: Messages<string> = { en: 'Webhooks' }
export const auditLabel: Messages<string> = { en: 'Audit log' }
export const requestsLabel: Messages<string> = { en: 'Requests' }
export const organizationLabel: Messages<string> = { en: 'Organization' }
export const membersLabel: Messages<string> = { en: 'Members' }
export const systemLabel: Messages<string> = { en: 'System' }
export const customFieldsLabel: Messages<string> = { en: 'Custom fields' }
export const tagsLabel: Messages<string> = { en: 'Tags' }
