/** Guides that pages link to: files in docs/, which the program serves below /docs. */
export const guideNames = [
  'agents',
  'audit',
  'authentication',
  'companies',
  'contacts',
  'custom-fields',
  'duplicates',
  'imports',
  'operations',
  'proposals',
  'requests',
  'retrieval',
  'sources',
  'webhooks',
  'widget',
] as const
export type GuideName = (typeof guideNames)[number]
