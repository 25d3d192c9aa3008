import type { ProposalSection } from '@groundwork/api'

/** Only `sectionsColumn` writes this column. */
export const storedSections = (stored: unknown): ProposalSection[] => (stored ?? []) as ProposalSection[]

/** Returns the column of the sections; null for a proposal without sections. */
export const sectionsColumn = (sections: readonly ProposalSection[]): string | null =>
  sections.length === 0 ? null : JSON.stringify(sections)

/** The version of proposals with sections. All others keep the form that they had before there were sections. */
export const versionWithSections = 3

/** Returns the version of a proposal with these sections. */
export const versionOf = (sections: readonly ProposalSection[], version: number): number =>
  sections.length > 0 ? versionWithSections : Math.min(version, versionWithSections - 1)
