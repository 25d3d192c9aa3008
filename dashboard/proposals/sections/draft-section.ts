import type { ProposalSection } from '@groundwork/api'
import { entryKey } from '../../lib/entry-key.ts'

/** A file of a section: an upload, or one that the draft already has. */
export interface DraftFile {
  /** Shown to the author. */
  readonly label: string
  readonly reference: { readonly storageUrl: string } | { readonly sha256: string }
}

type Content =
  | { readonly type: 'text' | 'terms'; readonly text: string }
  | { readonly type: 'items' }
  | { readonly type: 'image'; readonly alt: string; readonly file: DraftFile | null }
  | { readonly type: 'attachment'; readonly name: string; readonly file: DraftFile | null }

/** A section in a form, with a stable key, so that its inputs keep their state when it moves. */
export type DraftSection = Content & { readonly key: string }
export type SectionType = DraftSection['type']

const withKey = (content: Content): DraftSection => ({ ...content, key: entryKey() })

export function emptySection(type: SectionType): DraftSection {
  if (type === 'items') return withKey({ type })
  if (type === 'image') return withKey({ type, alt: '', file: null })
  return withKey(type === 'attachment' ? { type, name: '', file: null } : { type, text: '' })
}

/** Returns the sections of a record for a form. */
export const draftSections = (sections: readonly ProposalSection[]): DraftSection[] =>
  sections.map((section) => {
    if (section.type === 'image') return withKey({ type: 'image', alt: section.alt, file: knownFile(section.alt, section.sha256) })
    if (section.type === 'attachment')
      return withKey({ type: 'attachment', name: section.name, file: knownFile(section.name, section.sha256) })
    return withKey(section)
  })

const knownFile = (label: string, sha256: string): DraftFile => ({ label, reference: { sha256 } })

/** Returns the sections of a request; null without any. */
export const sectionsBody = (sections: readonly DraftSection[]) => (sections.length === 0 ? null : sections.map(bodyOf))

function bodyOf(section: DraftSection) {
  switch (section.type) {
    case 'image':
      return { type: section.type, alt: section.alt, ...section.file?.reference }
    case 'attachment':
      return { type: section.type, name: section.name, ...section.file?.reference }
    case 'items':
      return { type: section.type }
    default:
      return { type: section.type, text: section.text }
  }
}

/** API paths whose errors the inputs of sections show. */
export const sectionFields = (sections: readonly DraftSection[]): string[] => [
  'sections',
  ...sections.flatMap((_section, index) => ['text', 'alt', 'name', 'storageUrl', 'sha256'].map((field) => `sections.${index}.${field}`)),
]
