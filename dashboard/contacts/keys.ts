/** Keys of queries, apart from them because the first page load includes the keys. */

/** Events update the unfiltered list in place. Filtered lists are fetched again, because only the server can apply the filter. */
export const allKey = ['contacts', 'list', 'all'] as const
export const filteredKey = ['contacts', 'list', 'filtered'] as const
export const importsKey = ['contact-imports'] as const
export const activitiesKey = (id: string) => ['contacts', id, 'activities'] as const
export const suggestionsKey = (id: string) => ['contacts', id, 'suggestions'] as const
/** The present consent, and with a further part its history. */
export const consentKey = (id: string) => ['contacts', id, 'consent'] as const
export const historyKey = (id: string) => ['contacts', id, 'history'] as const
export const timelineKey = (id: string) => ['contacts', id, 'timeline'] as const
export const duplicatesKey = ['contact-duplicates'] as const
export const viewsKey = ['contact-views'] as const
export const deletedKey = ['deleted-contacts'] as const
